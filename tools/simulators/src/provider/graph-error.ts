import { randomBytes } from 'node:crypto';

/** The provider's errors by code: HTTP status and title. */
const REFUSALS = {
  100: [400, 'Invalid parameter'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131047: [400, 'Re-engagement message'],
  131051: [400, 'Unsupported message type'],
  131053: [400, 'Media upload error'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
} as const satisfies Record<number, readonly [number, string]>;

export type RefusalCode = keyof typeof REFUSALS;

interface GraphErrorFields {
  type?: string;
  subcode?: number;
  /** The cause. Errors of templates contain it as `error_user_msg`. */
  details?: string;
  userTitle?: string;
}

/** An error in the envelope of the Graph API. */
export class GraphError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    private readonly fields: GraphErrorFields = {},
  ) {
    super(message);
  }

  toJson(product: string): Readonly<Record<string, unknown>> {
    const { type = 'OAuthException', subcode, details, userTitle } = this.fields;
    return {
      error: {
        message: this.message,
        type,
        code: this.code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(userTitle === undefined
          ? details !== undefined && { error_data: { messaging_product: product, details } }
          : { is_transient: false, error_user_title: userTitle, error_user_msg: details }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    };
  }
}

export function refusal(code: RefusalCode, details: string): GraphError {
  const [status, title] = REFUSALS[code];
  return new GraphError(status, code, `(#${code}) ${title}`, { details });
}

/** An error of the template catalogue, with a subcode and a message for users. */
export function templateRefusal(subcode: number, userTitle: string, details: string): GraphError {
  return new GraphError(400, 100, 'Invalid parameter', { subcode, userTitle, details });
}

/** The id does not exist, or the token is not allowed to use the method on it. */
export function unknownObject(method: string, id: string): GraphError {
  const message = `Unsupported ${method.toLowerCase()} request. There is no object '${id}' that this token may use so.`;
  return new GraphError(400, 100, message, { type: 'GraphMethodException', subcode: 33 });
}

export function invalidToken(): GraphError {
  return new GraphError(401, 190, 'Invalid OAuth access token');
}

export function unknownPath(path: string): GraphError {
  return new GraphError(400, 2500, `Unknown path components: ${path}`);
}
