import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { UpstreamModule } from '../upstream/upstream.module';
import { SendingSwitches } from './sending-switches';

@Module({ imports: [ChatappCatalogModule, UpstreamModule], providers: [SendingSwitches], exports: [SendingSwitches] })
export class SwitchesModule {}
