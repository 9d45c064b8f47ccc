import { Module } from '@nestjs/common';
import { ReceivingModule } from './receiving/receiving.module';

@Module({ imports: [ReceivingModule] })
export class AppModule {}
