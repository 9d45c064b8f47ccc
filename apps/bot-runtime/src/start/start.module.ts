import { Module } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { TurnsModule } from '../turns/turns.module';
import { StartController } from './start.controller';
import { StartService } from './start.service';

@Module({
  imports: [BotCatalogModule, TurnsModule],
  controllers: [StartController],
  providers: [StartService],
})
export class StartModule {}
