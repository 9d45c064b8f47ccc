/** Why a connection or a connection attempt ended. The labels of a metric, so the list is closed. */
export type FailureKind =
  /** The host name cannot be resolved. */
  | 'dns'
  | 'connection_refused'
  | 'unreachable'
  /** The TCP connection was not established in time. */
  | 'connect_timeout'
  /** The TLS handshake failed, or was not completed in time. */
  | 'tls'
  /** Connected, but without a response to the bind or to enquire_link. */
  | 'no_response'
  | 'bind_refused'
  /** The carrier closed or reset the connection. */
  | 'closed'
  | 'malformed_pdu'
  | 'other';

export interface LinkFailure {
  kind: FailureKind;
  /** Names neither host nor credentials, because readiness shows it. */
  reason: string;
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
};
const REASONS: Partial<Record<FailureKind, string>> = {
  dns: 'the host name of the carrier cannot be resolved',
  connection_refused: 'the carrier refused the connection',
  unreachable: 'the carrier is unreachable',
  connect_timeout: 'the connection attempt timed out',
  closed: 'the carrier reset the connection',
};

/** Describes a socket error. `isHandshaking`: TCP is connected and the TLS handshake is not completed. */
export function failureOf(error: Error, isHandshaking: boolean): LinkFailure {
  const code = 'code' in error ? String(error.code) : '';
  const kind = isHandshaking ? 'tls' : (KINDS[code] ?? 'other');
  if (kind === 'tls') return { kind, reason: `the TLS handshake failed: ${error.message} (${code})` };
  return { kind, reason: `${REASONS[kind] ?? error.message} (${code})` };
}
