import { Module } from '@nestjs/common';
import { LanguageModel } from './language-model';

@Module({
  providers: [LanguageModel],
  exports: [LanguageModel],
})
export class LanguageModelModule {}
