import { Module } from '@nestjs/common';
import { GraphClient } from './graph-client';
import { GraphTransport } from './graph-transport';
import { Providers } from './providers';

@Module({ providers: [GraphClient, GraphTransport, Providers], exports: [Providers] })
export class UpstreamModule {}
