/** The error of nodemailer for a failed connection. */
interface ConnectionFailure {
  message: string;
  code?: string;
  /** The code of the system or of OpenSSL, where `code` is nodemailer's. */
  originalCode?: string;
  response?: string;
}

const BY_SYSTEM_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the server closes connections',
  EHOSTUNREACH: 'there is no route to the server',
  ENETUNREACH: 'there is no route to the server',
  ETIMEDOUT: 'the server does not respond',
};
const REPLY_CODE = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/;

/**
 * Returns why a connection to the submission server failed, as a clause without addresses and texts of the server,
 * because the readiness check and the reports of customers show it.
 */
export function connectionProblem(failure: unknown): string {
  const { message, code, originalCode = '', response = '' } = failure as ConnectionFailure;
  if (/certificate/i.test(message))
    return `the certificate of the server is not trusted (${certificateReason(message)})`;
  const reply = REPLY_CODE.exec(response);
  const answered = reply ? ` (${[reply[1], reply[2]].filter(Boolean).join(' ')})` : '';
  if (code === 'EAUTH') return `the server rejects the login${answered}`;
  if (/STARTTLS/.test(message)) return `the server does not offer STARTTLS${answered}`;
  if (answered) return `the server refuses sessions${answered}`;
  const known = BY_SYSTEM_CODE[originalCode] ?? BY_SYSTEM_CODE[code ?? ''];
  if (known) return known;
  if (code === 'EDNS') return 'the name of the server does not resolve';
  if (code === 'ETLS' || /\b(?:SSL|TLS)\b/.test(message)) return 'the TLS handshake with the server failed';
  return 'the server closes connections';
}

/** 'self-signed certificate' from 'Error initiating TLS - self-signed certificate; if the root …'. */
function certificateReason(message: string): string {
  const [reason = message] = message.replace(/^Error initiating TLS - /, '').split(/[:;]/);
  return reason.trim();
}
