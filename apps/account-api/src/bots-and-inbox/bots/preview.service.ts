import { Injectable } from '@nestjs/common';
import { readBot, readSettings } from '@heliograph/bot-catalog';
import { decideAnswer, findAnswers } from '@heliograph/bot-search';
import type { Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { botKey } from './about-bot';
import { FindingRecord, JudgementRecord, type BotPreview } from './preview.dto';

/** Runs the search of a bot without sending a reply, and returns the results with their scores. */
@Injectable()
export class BotPreviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
  ) {}

  async preview(workspace: Workspace, botId: string, message: string): Promise<BotPreview> {
    const bot = await readBot(this.dataSource.manager, botKey(workspace, botId));
    const { synonyms } = readSettings(bot.settings, bot.avatarUrl);
    const question = { botId: bot.id, locale: bot.locale, text: message, synonyms };
    const found = await findAnswers(this.pool, question);
    return {
      judgement: JudgementRecord.of(decideAnswer(found)),
      faqs: found.faqs.map((finding) => FindingRecord.of(finding)),
      knowledge: found.knowledge.map((finding) => FindingRecord.of(finding)),
    };
  }
}
