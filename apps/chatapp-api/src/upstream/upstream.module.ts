import { Module } from '@nestjs/common';
import { GraphClient } from './graph-client';
import { GraphTransport } from './graph-transport';

@Module({ providers: [GraphClient, GraphTransport], exports: [GraphClient] })
export class UpstreamModule {}
