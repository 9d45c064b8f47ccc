import { Inject, Injectable } from '@nestjs/common';
import { ChatappMedia, ChatappMessage } from '@heliograph/chatapp-messages';
import { IsNull, Not, DataSource, type EntityManager } from 'typeorm';

/** Files that organizations have uploaded, and those of messages that they were sent. */
@Injectable()
export class MediaRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async store(transaction: EntityManager, media: Omit<ChatappMedia, 'createdAt'>): Promise<void> {
    await transaction.getRepository(ChatappMedia).insert(media);
  }

  async isOwn(organizationId: string, id: string): Promise<boolean> {
    const isUpload = await this.dataSource.getRepository(ChatappMedia).existsBy({ id, organizationId });
    return (
      isUpload || this.dataSource.getRepository(ChatappMessage).existsBy({ mediaId: id, organizationId, ...INBOUND })
    );
  }

  /** Who may see a file: a link names nobody, so its signature is held against all of them. */
  async ownersAcrossTenants(id: string): Promise<string[]> {
    const [uploads, messages] = await Promise.all([
      this.dataSource.getRepository(ChatappMedia).find({ where: { id }, select: { organizationId: true } }),
      this.dataSource.getRepository(ChatappMessage).find({
        where: { mediaId: id, organizationId: Not(IsNull()), ...INBOUND },
        select: { id: true, organizationId: true },
      }),
    ]);
    return [...new Set([...uploads, ...messages].flatMap(({ organizationId }) => organizationId ?? []))];
  }

  /** The name that the file was uploaded or sent under, whoever did; null where there is none. */
  async fileNameAcrossTenants(id: string): Promise<string | null> {
    const upload = await this.dataSource.getRepository(ChatappMedia).findOneBy({ id });
    if (upload) return upload.fileName;
    const message = await this.dataSource.getRepository(ChatappMessage).findOneBy({ mediaId: id, ...INBOUND });
    const document = message?.payload?.['document'] as { filename?: unknown } | null | undefined;
    return typeof document?.filename === 'string' ? document.filename : null;
  }
}

const INBOUND = { direction: 'inbound' } as const;
