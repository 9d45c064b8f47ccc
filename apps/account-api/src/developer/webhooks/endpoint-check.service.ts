import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { fieldError } from '@heliograph/service-kit';
import { Deliverer, EndpointRefused, parseEndpointUrl, resolveEndpoint } from '@heliograph/webhooks';

const LOOK_UP_MS = 3_000;

/** Checks URLs of webhooks. The same checks run before every delivery. */
@Injectable()
export class EndpointCheck {
  constructor(private readonly deliverer: Deliverer) {}

  /** Returns the normalized URL. A host name that cannot be resolved is accepted. Throws INVALID_URL. */
  async check(text: string): Promise<string> {
    const { rules } = this.deliverer.http;
    try {
      const url = parseEndpointUrl(text, rules);
      const resolved = resolveEndpoint(url, rules).catch((error: unknown) => {
        if (error instanceof EndpointRefused) throw error;
      });
      await Promise.race([resolved, setTimeout(LOOK_UP_MS, undefined, { ref: false })]);
      return url.href;
    } catch (error) {
      if (error instanceof EndpointRefused) throw fieldError('INVALID_URL', 'url', error.message);
      throw error;
    }
  }
}
