import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { TestCreditsService } from './test-credits.service';
import { TestModeController } from './test-mode.controller';

/** The API of test mode. */
@Module({ imports: [TenancyModule], controllers: [TestModeController], providers: [TestCreditsService] })
export class TestModeModule {}
