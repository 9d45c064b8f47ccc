import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { ReportStorage } from './report-storage';

const PART_BYTES = 8 * 1024 * 1024;
const CONCURRENT_PARTS = 2;
const DEFAULT_REGION = 'us-east-1';

/** Stores report files in S3-compatible object storage. An upload buffers at most two parts in memory. */
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

  async write(key: string, content: Readable): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { ...this.object(key), Body: content },
      partSize: PART_BYTES,
      queueSize: CONCURRENT_PARTS,
    });
    await upload.done();
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

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)));
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}
