import { createTransport } from 'nodemailer';
import { MailboxSimulator, writeNotification, type StoredMail } from '@heliograph/simulators';

/** Concurrent notifications. */
const CONCURRENCY = 40;
const CONNECTIONS = 10;

/**
 * A mail server process. Prints its port, and its totals on each SIGUSR2. On SIGHUP it sends a notification for every
 * stored email to the listener, whose port is the first argument, and prints a report.
 */
async function main(): Promise<void> {
  const mailbox = new MailboxSimulator();
  await mailbox.start();
  console.log(JSON.stringify({ smtpPort: mailbox.smtpPort }));
  process.on('SIGUSR2', () => console.log(JSON.stringify(mailbox.totals)));
  process.on('SIGHUP', () => void sendNotifications(mailbox.mails(), Number(process.argv[2])));
  process.once('SIGTERM', () => void mailbox.stop().then(() => process.exit(0)));
}

/** Reports half of the emails as delivered and half as bounced. */
async function sendNotifications(mails: StoredMail[], port: number): Promise<void> {
  const listener = { host: '127.0.0.1', port, ignoreTLS: true };
  const transport = createTransport({ ...listener, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity });
  const startedAt = performance.now();
  const remaining = mails.entries();
  let refused = 0;
  const deliver = async (): Promise<void> => {
    for (const [index, mail] of remaining) {
      const to = mail.envelope.to[0] ?? '';
      const outcome =
        index % 2 === 0 ? { action: 'delivered', status: '2.0.0' } : { action: 'failed', status: '5.1.1' };
      const raw = writeNotification(mail, { to, ...outcome } as Parameters<typeof writeNotification>[1]);
      await transport.sendMail({ envelope: { from: '', to: [mail.envelope.from] }, raw }).catch((error: unknown) => {
        if (refused++ === 0) console.error(error);
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, deliver));
  transport.close();
  console.log(JSON.stringify({ sent: mails.length, refused, seconds: (performance.now() - startedAt) / 1000 }));
}

void main();
