import { PROTOCOL_VERSION, type FrameInit, type ToFrame, type ToLoader } from '../protocol';

export interface FrameLink {
  send(message: ToFrame): void;
  close(): void;
}

export interface FrameLinkOptions {
  frame: HTMLIFrameElement;
  /** The only origin from which messages are accepted and to which they are sent, except in a sandboxed page. */
  origin: string;
  /** Called for every `ready` message, because a reloaded frame sends it again. */
  init: () => Omit<FrameInit, 'heliograph' | 'type'>;
  greeted: () => void;
  received: (message: ToLoader) => void;
}

/**
 * Waits for the `ready` message of the frame and answers it with a port; all other messages use that port. Messages
 * from other windows or origins are ignored.
 */
export function linkFrame({ frame, origin, init, greeted, received }: FrameLinkOptions): FrameLink {
  let port: MessagePort | undefined;
  const onMessage = ({ source, origin: sender, data }: MessageEvent<unknown>): void => {
    // A frame in a sandboxed page inherits the sandbox, and then both have an opaque origin.
    const isOpaque = sender === 'null' && sender === self.origin;
    if (source !== frame.contentWindow || (sender !== origin && !isOpaque) || !isReady(data)) return;
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data: message }: MessageEvent<unknown>) => {
      if (typeof message === 'object' && message) received(message as ToLoader);
    };
    const answer: FrameInit = { heliograph: PROTOCOL_VERSION, type: 'init', ...init() };
    frame.contentWindow?.postMessage(answer, isOpaque ? '*' : origin, [channel.port2]);
    greeted();
  };
  addEventListener('message', onMessage);
  return {
    send: (message) => port?.postMessage(message),
    close: () => {
      removeEventListener('message', onMessage);
      port?.close();
    },
  };
}

/** Any version, because the loader may be older or newer than the frame. */
function isReady(data: unknown): boolean {
  const { heliograph, type } = Object(data) as Record<string, unknown>;
  return Number(heliograph) > 0 && type === 'ready';
}
