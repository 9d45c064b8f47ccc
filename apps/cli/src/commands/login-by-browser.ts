import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Heliograph, type DeviceLoginRequest } from '@heliograph/sdk';
import { CommandError, EXIT } from '../exit-codes';
import { plain } from '../output';

export const SCOPES = ['sms:send', 'sms:read', 'email:send', 'email:read', 'chatapp:send', 'chatapp:read'] as const;
export type Scope = (typeof SCOPES)[number];

/** RFC 8628, section 3.5. */
const SLOWER_BY_SECONDS = 5;

/**
 * Asks for a key that a person approves in the browser. Resolves with the key. Rejects with a CommandError if the person denies it, or
 * does not decide in time.
 */
export async function loginByBrowser(
  client: Heliograph,
  request: DeviceLoginRequest,
  opensBrowser: boolean,
  signal: AbortSignal,
): Promise<string> {
  const login = await client.auth.device.start(request, { signal });
  const { verification_uri: page, verification_uri_complete: address, user_code: code } = login;
  process.stderr.write(`Open ${plain(page)} and enter the code ${plain(code)}, or open ${plain(address)}\n`);
  process.stderr.write(`Approve only if the page displays ${plain(code)}. Waiting…\n`);
  if (opensBrowser && process.stderr.isTTY) openInBrowser(address);
  let interval = login.interval;
  for (;;) {
    await sleep(interval * 1_000, undefined, { signal });
    try {
      return (await client.auth.device.exchange({ device_code: login.device_code }, { signal })).api_key;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'AUTH_DEVICE_SLOW_DOWN') interval += SLOWER_BY_SECONDS;
      else if (error.code !== 'AUTH_DEVICE_PENDING') throw explained(error);
    }
  }
}

function explained(error: ApiError): Error {
  if (error.code === 'AUTH_DEVICE_DENIED') return new CommandError('The login was denied.', EXIT.credentials);
  if (error.code !== 'AUTH_DEVICE_EXPIRED') return error;
  return new CommandError('The code has expired. Run `heliograph login` again.', EXIT.credentials);
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Without a browser, the person opens the printed address. */
function openInBrowser(address: string): void {
  // A server must not start another program.
  if (!/^https?:\/\//.test(address)) return;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const program = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  program.on('error', () => undefined);
  program.unref();
}
