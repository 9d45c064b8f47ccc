import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { botCatalogEntities, BotCatalogModule } from '@heliograph/bot-catalog';
import { BotsController } from './bots.controller';
import { BotsService } from './bots.service';
import { ContentService } from './content/content.service';
import { FaqsController } from './content/faqs.controller';
import { FormsController } from './content/forms.controller';
import { ArticlesController } from './content/knowledge.controller';
import { ShortcutsController } from './content/shortcuts.controller';
import { BotPreviews } from './preview.service';

/** Management of bots and their content. */
@Module({
  imports: [TypeOrmModule.forFeature(botCatalogEntities), BotCatalogModule],
  controllers: [BotsController, FaqsController, ArticlesController, ShortcutsController, FormsController],
  providers: [BotsService, BotPreviews, ContentService],
})
export class BotsModule {}
