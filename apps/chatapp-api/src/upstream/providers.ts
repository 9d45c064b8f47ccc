import { Injectable } from '@nestjs/common';
import { isTestId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { Pool } from 'pg';
import { GraphClient } from './graph-client';
import type { Provider } from './provider';
import { TestProvider } from './test-mode/test-provider';

/** Chooses the provider of an organization. Nothing else has access to the Graph API. */
@Injectable()
export class Providers {
  constructor(
    private readonly graph: GraphClient,
    private readonly pool: Pool,
    private readonly relay: Relay,
  ) {}

  /** The provider of all live organizations. */
  get live(): Provider & Pick<GraphClient, 'isConfigured'> {
    return this.graph;
  }

  of(organizationId: string): Provider {
    return isTestId(organizationId) ? new TestProvider(organizationId, this.pool, this.relay) : this.graph;
  }
}
