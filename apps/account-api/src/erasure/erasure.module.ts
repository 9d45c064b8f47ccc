import { Module } from '@nestjs/common';
import { PersonsModule } from '@heliograph/persons';
import { ErasureConsumer } from './erasure.consumer';
import { ErasuresController } from './erasures.controller';
import { PersonErasureService } from './person-erasure.service';

@Module({
  imports: [PersonsModule],
  controllers: [ErasuresController],
  providers: [ErasureConsumer, PersonErasureService],
})
export class ErasureModule {}
