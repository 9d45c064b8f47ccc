import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { TenancyModule } from '@heliograph/tenancy';
import { UpstreamModule } from '../upstream/upstream.module';
import { MediaController } from './media.controller';
import { MediaRepository } from './media.repository';
import { MediaService } from './media.service';

@Module({
  imports: [ChatappCatalogModule, IdempotencyModule, TenancyModule, UpstreamModule],
  controllers: [MediaController],
  providers: [MediaRepository, MediaService],
  exports: [MediaService],
})
export class MediaModule {}
