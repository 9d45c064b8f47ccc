import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '@heliograph/testing';

/** The user `nobody` of Debian, which owns the mailboxes. */
const MAILBOX_OWNER = 65_534;
const INSTALL_MS = 120_000;
const CHECK_MS = 20_000;
/** Postfix stops by itself after this time, in case the test process crashes. */
const LIFE_SECONDS = 300;

export interface PostfixSettings {
  port: number;
  /** Addresses that have a mailbox. */
  mailboxes: string[];
  /** Domains that are delivered locally, and when an address without a mailbox is rejected. */
  domains: Record<string, 'at RCPT' | 'after accepting'>;
  /** Relay for mail to the return path. */
  returnPath: { domain: string; port: number };
}

/** Installs Postfix if necessary. Null if it can run, otherwise the reason why not. */
export function whyPostfixCannotRun(): string | null {
  if (process.platform !== 'linux') return 'Postfix is started on Linux only';
  if (process.getuid?.() !== 0) return 'Postfix starts as root only';
  if (isInstalled()) return null;
  if (!succeeds('apt-get', ['--version'])) return 'Postfix is not installed, and there is no apt-get';
  return install() ? null : 'Postfix could not be installed with apt-get';
}

/** Without a configuration, the package does not start a mail server on the machine. */
function install(): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const preseed = 'postfix postfix/main_mailer_type select No configuration\n';
  return (
    succeeds('debconf-set-selections', [], { input: preseed }) &&
    succeeds('apt-get', ['update', '-qq'], { env }) &&
    succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postfix'], { env }) &&
    isInstalled()
  );
}

function isInstalled(): boolean {
  return succeeds('/usr/sbin/postconf', ['-d', 'mail_version']);
}

function succeeds(command: string, args: string[], options: { env?: NodeJS.ProcessEnv; input?: string } = {}): boolean {
  return (
    spawnSync(command, args, { ...options, timeout: INSTALL_MS, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
  );
}

/** A Postfix on the loopback address with its own folder for configuration, queue and mailboxes. */
export class PostfixServer {
  private master: ChildProcess | null = null;
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'heliograph-postfix-'));

  static async start(settings: PostfixSettings): Promise<PostfixServer> {
    const server = new PostfixServer();
    try {
      await server.launch(configure(server.folder, settings));
    } catch (error) {
      const log = server.log();
      await server.stop();
      throw new Error(`Postfix does not run: ${log}`, { cause: error });
    }
    return server;
  }

  /** Stops Postfix with its child processes and deletes its folder. */
  async stop(): Promise<void> {
    const { master } = this;
    if (master?.pid !== undefined && !this.hasEnded) {
      const ended = new Promise((resolve) => master.once('exit', resolve));
      // The process group of the master contains only its own daemons.
      process.kill(-master.pid, 'SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns the delivered mails of a mailbox. */
  mails(address: string): Buffer[] {
    const inbox = path.join(this.folder, 'mailboxes', address, 'new');
    return readdirSync(inbox).map((name) => readFileSync(path.join(inbox, name)));
  }

  /** Returns the log of Postfix. */
  log(): string {
    try {
      return readFileSync(path.join(this.folder, 'log'), 'utf8');
    } catch {
      return '';
    }
  }

  private async launch(configuration: string): Promise<void> {
    // Creates the queue and data folders with the required owners.
    const { status } = spawnSync('/usr/sbin/postfix', ['-c', configuration, 'check'], { timeout: CHECK_MS });
    if (status !== 0) throw new Error('its configuration does not pass its own check');
    const args = ['-c', configuration, '-d', '-e', String(LIFE_SECONDS)];
    this.master = spawn('/usr/lib/postfix/sbin/master', args, { stdio: 'ignore', detached: true });
    await until('Postfix runs', () => this.hasEnded || this.log().includes('daemon started'));
    if (this.hasEnded) throw new Error('it ended at once');
  }

  private get hasEnded(): boolean {
    return this.master !== null && (this.master.exitCode !== null || this.master.signalCode !== null);
  }
}

/** Returns the configuration folder. */
function configure(folder: string, { port, mailboxes, domains, returnPath }: PostfixSettings): string {
  const configuration = path.join(folder, 'configuration');
  for (const name of ['configuration', 'queue', 'mailboxes']) mkdirSync(path.join(folder, name));
  // Most Postfix processes do not run as root.
  chmodSync(folder, 0o755);
  chownSync(path.join(folder, 'mailboxes'), MAILBOX_OWNER, MAILBOX_OWNER);
  const strict = Object.keys(domains).filter((domain) => domains[domain] === 'at RCPT');
  const main: Record<string, string> = {
    compatibility_level: '3.6',
    queue_directory: path.join(folder, 'queue'),
    data_directory: path.join(folder, 'data'),
    maillog_file: path.join(folder, 'log'),
    maillog_file_prefixes: folder,
    myhostname: 'mx.postfix.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    alias_maps: '',
    notify_classes: '',
    disable_dns_lookups: 'yes',
    smtpd_peername_lookup: 'no',
    transport_maps: table([[returnPath.domain, `smtp:[127.0.0.1]:${returnPath.port}`]]),
    virtual_mailbox_domains: Object.keys(domains).join(' '),
    virtual_mailbox_base: path.join(folder, 'mailboxes'),
    // The trailing slash selects the Maildir format: one file per mail.
    virtual_mailbox_maps: table(mailboxes.map((address) => [address, `${address}/`])),
    virtual_uid_maps: `static:${MAILBOX_OWNER}`,
    virtual_gid_maps: `static:${MAILBOX_OWNER}`,
    smtpd_relay_restrictions: 'permit_mynetworks reject',
    smtpd_reject_unlisted_recipient: 'no',
    smtpd_recipient_restrictions: `check_recipient_access ${table(strict.map((domain) => [domain, 'reject_unlisted_recipient']))}`,
  };
  const lines = Object.entries(main).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(path.join(configuration, 'main.cf'), lines.join(''));
  writeFileSync(path.join(configuration, 'master.cf'), servicesOn(port));
  return configuration;
}

function table(entries: [string, string][]): string {
  return entries.length === 0
    ? 'static:DUNNO'
    : `inline:{ ${entries.map(([key, value]) => `{ ${key} = ${value} }`).join(', ')} }`;
}

/** The processes of Postfix, without chroot. */
function servicesOn(port: number): string {
  return `
127.0.0.1:${port} inet n - n - - smtpd
cleanup   unix  n  -  n  -     0  cleanup
qmgr      unix  n  -  n  300   1  qmgr
rewrite   unix  -  -  n  -     -  trivial-rewrite
bounce    unix  -  -  n  -     0  bounce
defer     unix  -  -  n  -     0  bounce
trace     unix  -  -  n  -     0  bounce
proxymap  unix  -  -  n  -     -  proxymap
smtp      unix  -  -  n  -     -  smtp
error     unix  -  -  n  -     -  error
retry     unix  -  -  n  -     -  error
discard   unix  -  -  n  -     -  discard
virtual   unix  -  n  n  -     -  virtual
anvil     unix  -  -  n  -     1  anvil
postlog   unix-dgram n - n -   1  postlogd
`;
}

/** Returns a port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
