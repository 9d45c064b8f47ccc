import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { FileState, UnfinishedFile } from './report-storage';

/** All parts but the last need 5 MB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface ObjectName {
  Bucket: string;
  Key: string;
}

/**
 * An object that is uploaded in parts. Completion names the ETag of each part, so that a part which a process without a lease
 * has replaced is refused. A small object needs no parts.
 */
export class MultipartFile implements UnfinishedFile {
  readonly continuedBytes: number;
  bytes: number;
  private uploadId: string | null;
  private readonly etags: string[];
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isFinished = false;

  constructor(
    private readonly client: S3Client,
    private readonly object: ObjectName,
    state: FileState | null,
  ) {
    this.continuedBytes = this.bytes = state?.bytes ?? 0;
    this.uploadId = state?.name ?? null;
    this.etags = [...(state?.etags ?? [])];
  }

  async append(content: Buffer): Promise<FileState | null> {
    this.waiting.push(content);
    this.waitingBytes += content.length;
    this.bytes += content.length;
    if (this.waitingBytes < PART_BYTES) return null;
    const name = await this.uploadPart();
    return { name, bytes: this.bytes, etags: [...this.etags] };
  }

  async finish(): Promise<void> {
    if (this.uploadId === null) {
      await this.client.send(new PutObjectCommand({ ...this.object, Body: this.take() }));
      this.isFinished = true;
      return;
    }
    const UploadId = this.waitingBytes > 0 ? await this.uploadPart() : this.uploadId;
    const Parts = this.etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    await this.client.send(
      new CompleteMultipartUploadCommand({ ...this.object, UploadId, MultipartUpload: { Parts } }),
    );
  }

  async close(isRetained: boolean): Promise<void> {
    this.take();
    if (isRetained || this.isFinished || this.uploadId === null) return;
    await this.client.send(new AbortMultipartUploadCommand({ ...this.object, UploadId: this.uploadId }));
  }

  private async uploadPart(): Promise<string> {
    const UploadId = (this.uploadId ??= await this.begin());
    const part = { UploadId, PartNumber: this.etags.length + 1, Body: this.take() };
    const { ETag } = await this.client.send(new UploadPartCommand({ ...this.object, ...part }));
    if (ETag === undefined) throw new Error('the object storage stored a part without an ETag');
    this.etags.push(ETag);
    return UploadId;
  }

  private async begin(): Promise<string> {
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(this.object));
    if (UploadId === undefined) throw new Error('the object storage began an upload without an id');
    return UploadId;
  }

  private take(): Buffer {
    const content = Buffer.concat(this.waiting);
    [this.waiting, this.waitingBytes] = [[], 0];
    return content;
  }
}
