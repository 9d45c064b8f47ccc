import { createTransport } from 'nodemailer';

const TIMEOUT_MS = 10_000;

/** The listener of delivery notifications and abuse reports. */
export interface ReturnPath {
  host: string;
  port: number;
}

/** Delivers a report from the null sender. Rejects if the listener is unavailable or refuses it. */
export async function deliverReport({ host, port }: ReturnPath, to: string, raw: Buffer): Promise<void> {
  const transport = createTransport({
    host,
    port,
    secure: false,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A listener on loopback has a self-signed certificate, if any.
    tls: { rejectUnauthorized: false },
  });
  try {
    await transport.sendMail({ envelope: { from: '', to: [to] }, raw });
  } finally {
    transport.close();
  }
}
