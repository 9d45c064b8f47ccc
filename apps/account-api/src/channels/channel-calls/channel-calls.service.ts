import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, isErrorCode, serviceUnavailable } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../account-api.config';

/** The channels that have a service of their own. */
export type ServiceChannel = 'sms' | 'email' | 'chatapp';

const TIMEOUT_MS = 10_000;
/** Headers that choose the caller and its mode, which the service of the channel checks again. */
const FORWARDED = ['authorization', 'x-api-key', 'cookie', 'heliograph-mode'] as const;

/** The data of the call of the client. */
export interface ClientCall {
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

/** Calls the services of the channels for a client, with the credentials of the client. */
@Injectable()
export class ChannelCalls {
  private readonly urls: Readonly<Record<ServiceChannel, string | undefined>>;

  constructor(@Inject(CONFIG) { SMS_API_URL, EMAIL_API_URL, CHATAPP_API_URL }: AccountApiConfig) {
    this.urls = { sms: SMS_API_URL, email: EMAIL_API_URL, chatapp: CHATAPP_API_URL };
  }

  /**
   * Returns the body of a successful response. Throws the errors of the service, and SERVICE_UNAVAILABLE if it cannot be reached.
   * @param path such as `/api/v1/sms/send`
   * @param idempotencyKey for a call that changes something
   */
  async post<Answer extends object>(
    channel: ServiceChannel,
    path: string,
    body: object,
    { headers, address, requestId }: ClientCall,
    idempotencyKey?: string,
  ): Promise<Answer> {
    const url = this.urls[channel];
    if (url === undefined) throw serviceUnavailable(`the address of ${channel}-api is not set`);
    const forwarded = FORWARDED.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        ...Object.fromEntries(forwarded),
        'content-type': 'application/json',
        // The guard of this service has checked the origin of a call with a cookie.
        'sec-fetch-site': 'same-origin',
        'x-request-id': requestId,
        ...(address ? { 'x-forwarded-for': address } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw serviceUnavailable(`${channel}-api cannot be reached`, error);
    });
    const answer = (await response.json().catch(() => null)) as (Answer & Failure) | null;
    if (response.ok && answer) return answer;
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
