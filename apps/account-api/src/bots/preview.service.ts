import { Inject, Injectable } from '@nestjs/common';
import { readBot, readSettings } from '@heliograph/bot-catalog';
import { findAnswers, judge } from '@heliograph/bot-search';
import { poolOf } from '@heliograph/database';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { botKey } from './about-bot';
import { FindingRecord, JudgementRecord, type BotPreview } from './preview.dto';

/** Shows owners what their bot finds, and how sure it is. */
@Injectable()
export class BotPreviews {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async preview(workspace: Workspace, botId: string, message: string): Promise<BotPreview> {
    const bot = await readBot(this.dataSource.manager, botKey(workspace, botId));
    const { synonyms } = readSettings(bot.settings, bot.avatarUrl);
    const question = { botId: bot.id, locale: bot.locale, text: message, synonyms };
    const found = await findAnswers(poolOf(this.dataSource), question);
    return {
      judgement: JudgementRecord.of(judge(found)),
      faqs: found.faqs.map((finding) => FindingRecord.of(finding)),
      knowledge: found.knowledge.map((finding) => FindingRecord.of(finding)),
    };
  }
}
