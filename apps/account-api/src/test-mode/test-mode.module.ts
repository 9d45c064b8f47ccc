import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { TestClockService } from './test-clock.service';
import { TestCreditsService } from './test-credits.service';
import { TestModeController } from './test-mode.controller';

/** The API of test mode. */
@Module({
  imports: [TenancyModule],
  controllers: [TestModeController],
  providers: [TestClockService, TestCreditsService],
})
export class TestModeModule {}
