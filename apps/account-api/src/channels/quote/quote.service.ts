import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type V1Quote } from '@heliograph/credits';
import { AppError, isErrorCode, serviceUnavailable } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../account-api.config';

/** The channels whose service quotes its sends. */
export type ServiceChannel = 'sms' | 'email' | 'chatapp';

const TIMEOUT_MS = 10_000;
/** Headers in which the services of the channels read the API key of the caller. */
const CREDENTIALS = ['authorization', 'x-api-key'] as const;

/** The data of the call, which the service of the channel authenticates again. */
export interface QuoteCall {
  headers: IncomingHttpHeaders;
  /** Address of the client, for the allow-list of the organization. */
  address: string | undefined;
  requestId: string;
}

interface Failure {
  code?: unknown;
  message?: unknown;
  fields?: unknown;
}

/** Requests quotes from the service of a channel, which runs the checks of its sends. */
@Injectable()
export class QuoteService {
  private readonly urls: Readonly<Record<ServiceChannel, string | undefined>>;

  constructor(@Inject(CONFIG) { SMS_API_URL, EMAIL_API_URL, CHATAPP_API_URL }: AccountApiConfig) {
    this.urls = { sms: SMS_API_URL, email: EMAIL_API_URL, chatapp: CHATAPP_API_URL };
  }

  /** Throws the errors of the service, and SERVICE_UNAVAILABLE if it cannot be reached. */
  async quote(channel: ServiceChannel, body: object, { headers, address, requestId }: QuoteCall): Promise<V1Quote> {
    const url = this.urls[channel];
    if (url === undefined) throw serviceUnavailable(`the address of ${channel}-api is not set`);
    const credentials = CREDENTIALS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    if (credentials.length === 0) {
      throw new AppError('FORBIDDEN', 'A quote requires an API key. Send the key as "Authorization: Bearer <key>".');
    }
    const response = await fetch(new URL(`/api/v1/${channel}/quote`, url), {
      method: 'POST',
      headers: {
        ...Object.fromEntries(credentials),
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...(address ? { 'x-forwarded-for': address } : {}),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw serviceUnavailable(`${channel}-api cannot be reached`, error);
    });
    const answer = (await response.json().catch(() => null)) as (V1Quote & Failure) | null;
    if (response.status === 200 && answer) return answer;
    throw failureOf(answer ?? {}, response.headers.get('retry-after'), channel);
  }
}

function failureOf({ code, message, fields }: Failure, retryAfter: string | null, channel: ServiceChannel): AppError {
  if (!isErrorCode(code) || code === 'INTERNAL_ERROR')
    return serviceUnavailable(`${channel}-api responded with an error`);
  return new AppError(code, String(message), {
    ...(retryAfter === null ? {} : { headers: { 'Retry-After': retryAfter } }),
    ...(fields === undefined ? {} : { details: { fields } }),
  });
}
