import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { LanePath } from '@heliograph/fairness';
import { createLogger } from '@heliograph/service-kit';
import { SmtpBackend, type SubmissionOutcome } from './smtp-backend';

/** The state of one connection to the scripted server. */
interface Connection {
  mails: number;
  /** Commands and lines of content so far. */
  lines: string[];
}

/** Responds to a line; null closes the connection without a response. */
type Reply = (line: string, connection: Connection) => string | null;

const ACCEPTS: Readonly<Record<string, string>> = {
  EHLO: '250 me',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  '.': '250 stored',
  RSET: '250 ok',
  QUIT: '221 bye',
};

describe('the pool of connections to the submission server', () => {
  let server: Server;
  let backend: SmtpBackend;
  let connections: Connection[];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    backend.stop();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const start = async (reply: Reply, most = 1, isSaturated = false): Promise<void> => {
    connections = [];
    server = createServer((socket) => {
      const connection: Connection = { mails: 0, lines: [] };
      connections.push(connection);
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write('220 hello\r\n');
      let isContent = false;
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').filter(Boolean)) {
          if (isContent && line !== '.') continue;
          isContent = false;
          connection.lines.push(line);
          const answer = reply(line, connection);
          if (answer === null) return void socket.destroy();
          socket.write(`${answer}\r\n`);
          if (answer.startsWith('421')) return void socket.end();
          if (answer.startsWith('354')) isContent = true;
          if (line === '.') connection.mails++;
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const connection = { host: '127.0.0.1', port, ignoreTLS: true, socketTimeout: 60_000 };
    const log = createLogger('smtp-backend spec', 'silent');
    backend = new SmtpBackend({ connection, credentials: null }, most, log, {}, () => isSaturated);
  };
  const accepting = (line: string): string => ACCEPTS[line.split(/[ :]/)[0] ?? ''] ?? '500 what?';
  const submit = (
    beforeData: (() => Promise<void>) | null = null,
    lane: LanePath = ['single', 'acme', 'example.com', 'one'],
  ): Promise<SubmissionOutcome> =>
    backend.submit({
      lane,
      beforeData,
      compose: () =>
        Promise.resolve({ from: 'a@example.com', to: 'b@example.com', raw: Buffer.from('Subject: Hi\r\n\r\nHi\r\n') }),
    });

  it('serves the kinds, organizations and domains in turn', async () => {
    await start(accepting);
    const order: string[] = [];
    const add = (count: number, ...lane: string[]): Promise<unknown>[] =>
      Array.from({ length: count }, (_, index) =>
        submit(() => Promise.resolve(void order.push(lane.slice(0, 3).join(' '))), [...lane, `send-${index}`]),
      );
    await Promise.all([
      ...add(20, 'campaign', 'acme', 'slow.example'),
      ...add(5, 'campaign', 'acme', 'other.example'),
      ...add(1, 'single', 'globex', 'example.com'),
      ...add(1, 'campaign', 'globex', 'example.com'),
    ]);
    expect(order).toHaveLength(27);
    expect(order.indexOf('single globex example.com')).toBeLessThanOrEqual(2);
    expect(order.indexOf('campaign globex example.com')).toBeLessThanOrEqual(4);
    const others = order.flatMap((lane, index) => (lane === 'campaign acme other.example' ? [index] : []));
    expect(others.at(-1)).toBeLessThanOrEqual(14);
  });

  it.each([
    ['two while a saturated event loop is shared', true, ['acme', 'globex'], 2],
    ['as many as there are connections if one organization is alone', true, ['acme', 'acme'], 5],
    ['as many as there are connections if the event loop is not saturated', false, ['acme', 'globex'], 5],
  ])('sends at the same time %s', async (_, isSaturated, organizations, expected) => {
    await start(accepting, 5, isSaturated);
    let running = 0;
    let most = 0;
    const mail = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    };
    // The limit applies to mails that start after both organizations were seen.
    await Promise.all(
      organizations.map((organization) => submit(null, ['bulk', organization, 'example.com', 'first'])),
    );
    const all = Array.from({ length: 12 }, (__, at) =>
      submit(mail, ['bulk', organizations[at % 2] ?? '', 'example.com', `send-${at}`]),
    );
    await Promise.all(all);
    expect(most).toBe(expected);
  });

  it.each(['MAIL', 'RCPT', 'DATA', '.'])(
    'submits a mail on a fresh connection if the server ends a reused one with 421 to %s',
    async (verb) => {
      await start((line, { mails }) =>
        mails === 2 && line.startsWith(verb) ? '421 4.7.0 too many mails on this connection' : accepting(line),
      );
      const marks: number[] = [];
      const outcomes: SubmissionOutcome[] = [];
      for (let mail = 0; mail < 7; mail++) outcomes.push(await submit(() => Promise.resolve(void marks.push(mail))));
      expect(outcomes).toEqual(Array(7).fill({ kind: 'accepted' }));
      expect(connections.map(({ mails }) => mails)).toEqual([2, 2, 2, 1]);
      // Each mail is marked once as possibly sent.
      expect(marks).toEqual([0, 1, 2, 3, 4, 5, 6]);
    },
  );

  it('submits a mail on a fresh connection if the server closes a reused one without a response', async () => {
    await start((line, { mails }) => (mails === 1 && line.startsWith('MAIL') ? null : accepting(line)));
    expect([await submit(), await submit(), await submit()]).toEqual(Array(3).fill({ kind: 'accepted' }));
    expect(connections.map(({ mails }) => mails)).toEqual([1, 1, 1]);
  });

  it('defers a mail if the fresh connection also ends with 421', async () => {
    await start((line) => (line.startsWith('MAIL') ? '421 4.3.2 shutting down' : accepting(line)));
    expect(await submit()).toMatchObject({ kind: 'deferred', reason: '421 4.3.2 shutting down' });
    expect(connections).toHaveLength(1);
  });

  it('does not submit a mail again if the connection ends after the content without a response', async () => {
    await start((line, { mails }) => (mails === 1 && line === '.' ? null : accepting(line)));
    expect(await submit()).toEqual({ kind: 'accepted' });
    expect(await submit()).toMatchObject({ kind: 'uncertain' });
    expect(connections).toHaveLength(1);
  });

  it('does not submit a mail again after a temporary error that concerns the mail', async () => {
    await start((line, { mails }) => (mails === 1 && line.startsWith('RCPT') ? '451 4.7.1 later' : accepting(line)));
    await submit();
    expect(await submit()).toMatchObject({ kind: 'deferred', reason: '451 4.7.1 later' });
    expect(connections).toHaveLength(1);
  });
});
