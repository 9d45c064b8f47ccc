// The smpp package has no types; these cover the used part.
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer, Socket } from 'node:net';

  export type TlvValue = number | string | Buffer;
  export interface PduFields {
    [field: string]: unknown;
  }
  export class PDU {
    /** Reads a whole PDU. */
    constructor(octets: Buffer);
    constructor(command: string, fields?: PduFields);
    /** The longest PDU the parser takes, in octets. */
    static maxLength: number;
    command: string;
    command_id: number;
    command_status: number;
    command_length: number;
    sequence_number: number;
    [field: string]: unknown;
    isResponse(): boolean;
    response(fields?: PduFields): PDU;
    toBuffer(): Buffer;
  }
  export class Session extends EventEmitter {
    socket: Socket;
    closed: boolean;
    constructor(options: Record<string, unknown>);
    connect(): void;
    send(pdu: PDU, onResponse?: (pdu: PDU) => void, onSent?: (pdu: PDU) => void): boolean;
    pause(): void;
    resume(): void;
    close(callback?: () => void): void;
    destroy(callback?: () => void): void;
  }
  export interface Server extends NetServer {
    sessions: Session[];
  }
  export function connect(options: Record<string, unknown>, listener?: () => void): Session;
  export function createServer(options: Record<string, unknown>, listener: (session: Session) => void): Server;
  export function addTLV(tag: string, options: { id: number; type: unknown; multiple?: boolean }): void;
  export const types: { tlv: Record<string, unknown> };
  export const tlvs: Record<string, { id: number; type: unknown; filter?: unknown }>;
  /** Layout of each command's mandatory fields; a filter rewrites a field after reading and before writing. */
  export const commands: Record<string, { id: number; params?: Record<string, { type: unknown; filter?: unknown }> }>;
  export const tlvsById: Record<number, { id: number; tag: string }>;
  export const consts: Record<string, Record<string, number>>;
  const smpp: {
    PDU: typeof PDU;
    Session: typeof Session;
    connect: typeof connect;
    createServer: typeof createServer;
    addTLV: typeof addTLV;
  };
  export default smpp;
}
