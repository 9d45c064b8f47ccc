import { Module } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import type { EmailApiConfig } from '../email-api.config';
import { RecipientTokens } from './recipient-tokens';

@Module({
  providers: [
    {
      provide: RecipientTokens,
      inject: [CONFIG],
      useFactory: ({ EMAIL_TOKEN_SECRET }: EmailApiConfig) => new RecipientTokens(EMAIL_TOKEN_SECRET),
    },
  ],
  exports: [RecipientTokens],
})
export class TokensModule {}
