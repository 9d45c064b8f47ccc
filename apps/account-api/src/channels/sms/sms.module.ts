import { Module } from '@nestjs/common';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { OnboardingsController } from './onboardings.controller';
import { OnboardingsService } from './onboardings.service';
import { SendersController } from './senders.controller';
import { SendersService } from './senders.service';
import { TemplatesController } from './templates.controller';
import { TemplatesService } from './templates.service';

/** SMS onboardings, senders and templates of an organization. */
@Module({
  imports: [SmsCatalogModule],
  controllers: [OnboardingsController, SendersController, TemplatesController],
  providers: [OnboardingsService, SendersService, TemplatesService],
})
export class SmsModule {}
