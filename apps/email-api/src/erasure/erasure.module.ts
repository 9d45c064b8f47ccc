import { Module } from '@nestjs/common';
import { PersonsModule } from '@heliograph/tenancy';
import { ErasureConsumer } from './erasure.consumer';

@Module({ imports: [PersonsModule], providers: [ErasureConsumer] })
export class ErasureModule {}
