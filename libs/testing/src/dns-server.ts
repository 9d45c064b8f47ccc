import { createSocket, type Socket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type Question } from 'dns-packet';

/** Longer TXT values are split into several strings. */
const STRING_LENGTH = 255;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

export interface TestDnsRecord {
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
}

/** A DNS server on loopback that answers published records, and NXDOMAIN for all other names. */
export class TestDnsServer {
  private records: TestDnsRecord[] = [];
  private readonly faults = new Map<string, 'failure' | 'silence'>();
  /** The queried names, in order, in lower case. */
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (packet, { address, port }) => {
      const answer = this.answerTo(packet);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<TestDnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, '127.0.0.1', resolve);
    });
    return new TestDnsServer(socket);
  }

  /** The address in the format of a resolver: `address:port`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  publish(...records: TestDnsRecord[]): void {
    this.records.push(...records);
  }

  /** Publishes records of any type. */
  withdraw(...names: string[]): void {
    this.records = this.records.filter(({ name }) => !names.includes(name));
  }

  /** Until `heal`, `failure` causes SERVFAIL and `silence` causes no response. */
  break(name: string, fault: 'failure' | 'silence'): void {
    this.faults.set(name.toLowerCase(), fault);
  }

  heal(): void {
    this.faults.clear();
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answerTo(packet: Buffer): Buffer | null {
    const { id, questions } = decode(packet);
    const [question] = questions ?? [];
    if (!question) return null;
    const name = question.name.toLowerCase();
    this.asked.push(name);
    const fault = this.faults.get(name);
    if (fault === 'silence') return null;
    const ofName = this.records.filter((record) => record.name.toLowerCase() === name);
    const code = fault === 'failure' ? SERVER_FAILURE : ofName.length === 0 ? NO_SUCH_NAME : 0;
    return encode({
      type: 'response',
      id: id ?? 0,
      flags: AUTHORITATIVE_ANSWER | code,
      questions: [question],
      answers: code === 0 ? answersTo(question, ofName) : [],
    });
  }
}

function answersTo({ type, name }: Question, records: TestDnsRecord[]): Answer[] {
  return records
    .filter((record) => record.type === type)
    .map(({ value }) =>
      type === 'TXT' ? { type, name, ttl: 1, data: stringsOf(value) } : { type: 'CNAME', name, ttl: 1, data: value },
    );
}

function stringsOf(text: string): Buffer[] {
  const octets = Buffer.from(text);
  const strings = [];
  for (let start = 0; start < octets.length; start += STRING_LENGTH) {
    strings.push(octets.subarray(start, start + STRING_LENGTH));
  }
  return strings;
}
