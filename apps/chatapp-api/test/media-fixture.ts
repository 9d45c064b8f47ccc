import { randomBytes } from 'node:crypto';
import { memoryInUse, type HttpResponse } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';
import { FORM_TYPE, formOf, frameOf, postStream, type FormFile } from './media-upload';

export const MB = 1_024 * 1_024;
export const MAX_FILE_BYTES = 90 * MB;
/** If the memory grows by more, the file is buffered. */
export const BUFFERED_BYTES = 60 * MB;
/** A PNG with one pixel, followed by bytes that make the file unique. */
export const PNG = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  randomBytes(200),
]);

/** Uploads and reads media files as one tenant of the shared service. */
export class MediaFixture {
  private constructor(
    readonly chatapp: ChatappFixture,
    readonly tenant: ChatappTenant,
  ) {}

  static async start(): Promise<MediaFixture> {
    const chatapp = await ChatappFixture.shared();
    return new MediaFixture(chatapp, await chatapp.tenant());
  }

  post(
    body: Buffer | string,
    headers: Record<string, string> = {},
    key: string | null = this.tenant.key,
  ): Promise<HttpResponse> {
    const options = { method: 'POST', key, headers: { 'Content-Type': FORM_TYPE, ...headers }, body };
    return this.chatapp.call('/chatapp/media', options);
  }

  upload(file: FormFile, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.post(formOf([file]), headers);
  }

  async uploaded(file: FormFile): Promise<string> {
    return String((await this.upload(file)).body['id']);
  }

  lookUp(id: string, key = this.tenant.key): Promise<HttpResponse> {
    return this.chatapp.call(`/chatapp/media/${id}`, { key });
  }

  /** Returns the download URL with the address of the tested service instead of its public URL. */
  async linkTo(id: string, key = this.tenant.key): Promise<string> {
    const { pathname, search } = new URL(String((await this.lookUp(id, key)).body['url']));
    return this.chatapp.url + pathname + search;
  }

  /** Returns the uploads that the provider received, newest last. */
  arrived() {
    return this.chatapp.provider
      .requests()
      .filter(({ path }) => path.endsWith('/media'))
      .map(({ body }) => body as { type: string; messaging_product: string; file?: { name: string; size: number } });
  }

  stored(): Promise<{ id: string }[]> {
    return this.chatapp.rows<{ id: string }>('SELECT * FROM chatapp.media ORDER BY created_at');
  }

  postBig(
    total: number,
    headers: Record<string, string> = {},
    onMegabyte?: () => Promise<void> | void,
  ): Promise<HttpResponse> {
    return postStream(
      `${this.chatapp.url}/chatapp/media`,
      { 'X-API-Key': this.tenant.key, 'Content-Type': FORM_TYPE, ...headers },
      bigForm(total, onMegabyte),
    );
  }
}

/** The growth of the memory of this process, which includes the service and the simulated provider. */
export class MemoryUse {
  /** The largest measured growth in bytes. */
  most = 0;

  private constructor(private readonly before: number) {}

  static async start(): Promise<MemoryUse> {
    return new MemoryUse(await memoryInUse());
  }

  /** Garbage collection is slow, so it runs only if the growth with garbage exceeds the limit. */
  async measure(): Promise<void> {
    const { heapUsed, external } = process.memoryUsage();
    const growth = heapUsed + external - this.before;
    const limit = this.before + BUFFERED_BYTES;
    this.most = Math.max(this.most, growth < BUFFERED_BYTES ? growth : (await memoryInUse(limit)) - this.before);
  }
}

async function* bigForm(total: number, onMegabyte?: () => Promise<void> | void) {
  const { before, after } = frameOf('big.bin');
  yield before;
  yield* bytesOf(total, onMegabyte);
  yield after;
}

async function* bytesOf(total: number, onMegabyte: () => Promise<void> | void = () => undefined) {
  const chunk = randomBytes(MB);
  for (let sent = 0; sent < total; sent += MB) {
    await onMegabyte();
    yield chunk.subarray(0, Math.min(MB, total - sent));
  }
}
