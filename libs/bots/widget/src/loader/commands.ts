import type { VisitorTraits } from '../protocol';
import type { Listener } from './emitter';

/** What a site can do with the widget; everything is documented in libs/chat-widget/README.md. */
export interface Commands {
  open(): void;
  close(): void;
  toggle(): void;
  /** Shows the launcher again. */
  show(): void;
  /** Closes the panel and takes the launcher away; `open` still opens the panel. */
  hide(): void;
  /** `ready`, `open`, `close`, `message`, `unread`. A listener of `ready` that comes late is called at once. */
  on(event: string, listener: Listener): void;
  off(event: string, listener?: Listener): void;
  /** Who the visitor is, as the site believes. */
  identify(traits: VisitorTraits): void;
  /** Takes everything away; the script can then be included anew. */
  destroy(): void;
}

export interface HeliographGlobal extends Commands {
  /** `push(['open'])`: the same call before and after the script has run. */
  push(...calls: unknown[]): void;
}

/** The documented global: the commands, and `push` for those who do not want to know whether the script has run. */
export function createCommands(commands: Commands): HeliographGlobal {
  return {
    ...commands,
    push(...calls) {
      for (const call of calls) {
        const [name, ...args] = Array.from(Object(call) as ArrayLike<unknown>);
        if (typeof name === 'string' && Object.keys(commands).includes(name)) {
          (commands[name as keyof Commands] as (...args: unknown[]) => void)(...args);
        } else {
          console.warn('Heliograph: there is no such call:', call);
        }
      }
    },
  };
}
