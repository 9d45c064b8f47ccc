import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListPartsCommand,
  NoSuchKey,
  NoSuchUpload,
  S3Client,
} from '@aws-sdk/client-s3';
import type { FileState, ReportStorage, UnfinishedFile } from './report-storage';
import { MultipartFile, type ObjectName } from './multipart-file';

const DEFAULT_REGION = 'us-east-1';

/** Stores report files in S3-compatible object storage. The memory of an upload is that of one part. */
export class S3Storage implements ReportStorage {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  /** `url`: `https://user:password@host/bucket/prefix?region=...`; see REPORTS_S3_URL. */
  constructor(url: string) {
    const { origin, pathname, username, password, searchParams } = new URL(url);
    const [bucket = '', ...prefix] = pathname.split('/').filter((part) => part !== '');
    if (bucket === '') throw new TypeError('REPORTS_S3_URL must contain a bucket, such as https://host/bucket');
    this.bucket = decodeURIComponent(bucket);
    this.prefix = prefix.map((part) => `${decodeURIComponent(part)}/`).join('');
    const credentials = {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    };
    this.client = new S3Client({
      endpoint: origin,
      region: searchParams.get('region') ?? DEFAULT_REGION,
      forcePathStyle: true,
      // S3-compatible storage does not always support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(username === '' ? {} : { credentials }),
    });
  }

  async open(key: string, state: FileState | null): Promise<UnfinishedFile> {
    const object = this.object(key);
    if (state !== null && !(await this.hasParts(object, state))) {
      await this.abort(object, state);
      return new MultipartFile(this.client, object, null);
    }
    return new MultipartFile(this.client, object, state);
  }

  async read(key: string): Promise<Readable | null> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.object(key)));
      return Body instanceof Readable ? Body : null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async remove(key: string, state: FileState | null): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)));
    if (state !== null) await this.abort(this.object(key), state);
  }

  /** Whether the storage still has the parts of an upload, as they were uploaded. */
  private async hasParts(object: ObjectName, { name, etags }: FileState): Promise<boolean> {
    try {
      for (let found = 0; found < etags.length;) {
        const page = new ListPartsCommand({ ...object, UploadId: name, PartNumberMarker: String(found) });
        const { Parts: parts = [] } = await this.client.send(page);
        if (parts.length === 0) return false;
        const known = parts.slice(0, etags.length - found);
        if (known.some(({ ETag }, index) => ETag !== etags[found + index])) return false;
        found += parts.length;
      }
      return true;
    } catch (error) {
      if (error instanceof NoSuchUpload) return false;
      throw error;
    }
  }

  private async abort(object: ObjectName, { name }: FileState): Promise<void> {
    try {
      await this.client.send(new AbortMultipartUploadCommand({ ...object, UploadId: name }));
    } catch (error) {
      if (!(error instanceof NoSuchUpload)) throw error;
    }
  }

  private object(key: string): ObjectName {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}
