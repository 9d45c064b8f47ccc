import type { VisitorTraits } from '../protocol';
import type { Listener } from './emitter';

/** The JavaScript API of the widget, documented in libs/bots/widget/README.md. */
export interface Commands {
  open(): void;
  close(): void;
  toggle(): void;
  /** Shows the launcher again. */
  show(): void;
  /** Closes the panel and hides the launcher; `open` still opens the panel. */
  hide(): void;
  /**
   * `ready`, `open`, `close`, `message`, `unread`. A listener for `ready` that is added later is called immediately.
   */
  on(event: string, listener: Listener): void;
  off(event: string, listener?: Listener): void;
  /** Identity of the visitor, as reported by the site; not verified. */
  identify(traits: VisitorTraits): void;
  /** Removes the widget; the script can then be included again. */
  destroy(): void;
}

export interface HeliographGlobal extends Commands {
  /** `push(['open'])`: works before and after the script has loaded. */
  push(...calls: unknown[]): void;
}

/** The documented global: the commands, and `push`, which works whether or not the script has loaded. */
export function createCommands(commands: Commands): HeliographGlobal {
  return {
    ...commands,
    push(...calls) {
      for (const call of calls) {
        const [name, ...args] = Array.from(Object(call) as ArrayLike<unknown>);
        if (typeof name === 'string' && Object.keys(commands).includes(name)) {
          (commands[name as keyof Commands] as (...args: unknown[]) => void)(...args);
        } else {
          console.warn('Heliograph: unknown command:', call);
        }
      }
    },
  };
}
