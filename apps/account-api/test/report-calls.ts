import { until } from '@heliograph/testing';
import type { AccountFixture, Tenant } from './account-fixture';

export interface Report {
  id: string;
  type: string;
  format: string;
  status: string;
  rows: number;
  bytes: number | null;
  download_url: string | null;
  expires_at: string | null;
  created_at: string;
  error?: { code: string };
  fields?: { field: string; message: string }[];
}

/** Calls of `/api/v1/reports` by one tenant. */
export class ReportCalls {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
  ) {}

  create(body: object, key = this.tenant.key): Promise<Omit<Report, 'status'> & { status: number | string }> {
    return this.fixture.v1('POST', '/api/v1/reports', { key, body });
  }

  read(id: string, key = this.tenant.key): Promise<Report> {
    return this.fixture.v1('GET', `/api/v1/reports/${id}`, { key });
  }

  completed(id: string, key = this.tenant.key): Promise<Report> {
    return until('the report is completed', async () => {
      const report = await this.read(id, key);
      return report.status === 'completed' ? report : null;
    });
  }

  /** Returns the download URL with the address of the tested service instead of its public URL. */
  linkOf({ download_url: url }: Report): string {
    const { pathname, search } = new URL(url!);
    return `${this.fixture.service.url}${pathname}${search}`;
  }

  async download(report: Report): Promise<Buffer> {
    return Buffer.from(await (await fetch(this.linkOf(report))).arrayBuffer());
  }

  async reportOf(body: object): Promise<{ report: Report; content: Buffer }> {
    const { id } = await this.create(body);
    const report = await this.completed(id);
    return { report, content: await this.download(report) };
  }

  async rowsOf(body: object): Promise<Record<string, unknown>[]> {
    const { content } = await this.reportOf({ ...body, format: 'ndjson' });
    return content
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
