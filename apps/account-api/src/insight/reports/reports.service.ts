import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { SignedLinks, type LinkProof } from '@heliograph/secrets';
import { CONFIG, v1List, v1NotFound, pageOf, type V1List } from '@heliograph/service-kit';
import { WorkspaceDirectory, AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import type { AccountApiConfig } from '../../account-api.config';
import { fileOf, type Report } from './report';
import { filtersOf, rangeOf } from './report-request';
import { V1Report, type V1ReportRequest, type V1ReportsQuery } from './reports.dto';
import { ReportsRepository } from './reports.repository';
import { REPORT_STORAGE, type ReportStorage } from './storage/report-storage';

const LINK_LIFE_SECONDS = 3_600;
const MAX_UNFINISHED = 100;
const REPORT = new AuditedKind<Report>('report', targetOf, ({ type, format }) => ({ type, format }));

/** Queues reports and creates the download links of their files. */
@Injectable()
export class ReportsService {
  private readonly links: SignedLinks;

  constructor(
    private readonly reports: ReportsRepository,
    private readonly workspaces: WorkspaceDirectory,
    private readonly unitOfWork: UnitOfWork,
    @Inject(REPORT_STORAGE) private readonly storage: ReportStorage,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {
    this.links = new SignedLinks(config.SECRETS_KEYS.secretsFor('report links'), 'report', LINK_LIFE_SECONDS);
  }

  /** Throws INVALID_REQUEST, FORBIDDEN, NOT_FOUND for a workspace of another organization, and LIMIT_REACHED. */
  create(write: Write, caller: Caller, request: V1ReportRequest): Promise<V1Report> {
    return this.unitOfWork.once(write, async () => {
      const { type } = request;
      const { organizationId } = caller;
      if (type === 'contacts' && caller.boundWorkspaceId !== null) {
        throw new AppError(
          'FORBIDDEN',
          'A key that is bound to a workspace cannot report contacts, because contacts belong to the organization. Use an unbound API key.',
        );
      }
      const report = {
        organizationId,
        type,
        format: request.format ?? 'csv',
        workspaceId: await this.workspaceOf(caller, request.workspace_id),
        filters: filtersOf(type, request.filters ?? {}),
        ...rangeOf(request, new Date()),
      };
      const answer = (created: Report) => V1Report.of(created, null);
      return this.unitOfWork.change(write, { kind: REPORT, done: 'created', answer }, async (transaction) => {
        if ((await this.reports.unfinished(transaction, organizationId)) >= MAX_UNFINISHED) {
          throw new AppError(
            'LIMIT_REACHED',
            `The organization has ${MAX_UNFINISHED} unfinished reports. Wait until one is finished, and request the report again.`,
          );
        }
        return { after: await this.reports.create(transaction, report) };
      });
    });
  }

  /** Newest first. Throws NOT_FOUND for a workspace of another organization. */
  async list(caller: Caller, query: V1ReportsQuery): Promise<V1List<V1Report>> {
    const workspaceId = await this.workspaceOf(caller, query.workspace_id);
    const found = await this.reports.list(caller.organizationId, workspaceId, pageOf(query));
    return v1List(found, (report) => this.recordOf(report));
  }

  /** Throws NOT_FOUND. */
  async get({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<V1Report> {
    const report = await this.reports.find(organizationId, boundWorkspaceId, id);
    if (!report) throw v1NotFound('report');
    return this.recordOf(report);
  }

  /** Opens the file of a valid link. Throws FORBIDDEN and NOT_FOUND. */
  async download(id: string, proof: LinkProof): Promise<{ report: Report; content: Readable }> {
    const report = await this.reports.completedAcrossTenants(id);
    const owners = report ? [report.organizationId] : [];
    if (!report || !this.links.holds(report.id, owners, proof, Date.now())) {
      throw new AppError(
        'FORBIDDEN',
        'The link is invalid or has expired. GET /api/v1/reports/{id} returns a new link.',
      );
    }
    const content = await this.storage.read(fileOf(report));
    if (!content) throw v1NotFound('report');
    return { report, content };
  }

  private recordOf(report: Report): V1Report {
    if (report.status !== 'completed') return V1Report.of(report, null);
    const { expires, signature } = this.links.sign(report.id, report.organizationId, Date.now());
    const base = (this.config.PUBLIC_BASE_URL ?? `http://localhost:${this.config.PORT}`).replace(/\/+$/, '');
    return V1Report.of(report, {
      url: `${base}/api/v1/reports/${report.id}/file?expires=${expires}&signature=${signature}`,
      expiresAt: new Date(Number(expires) * 1_000),
    });
  }

  private async workspaceOf(
    { organizationId, boundWorkspaceId }: Caller,
    given: string | null | undefined,
  ): Promise<string | null> {
    return this.workspaces.chosen({ organizationId, workspaceId: boundWorkspaceId }, given);
  }
}
