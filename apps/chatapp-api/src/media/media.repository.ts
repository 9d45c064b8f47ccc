import { Injectable } from '@nestjs/common';
import { ChatappMedia, ChatappMessage } from '@heliograph/chatapp-messages';
import { IsNull, Not, DataSource, type EntityManager } from 'typeorm';

/** Files that organizations have uploaded or received in inbound messages. */
@Injectable()
export class MediaRepository {
  constructor(private readonly dataSource: DataSource) {}

  async store(transaction: EntityManager, media: Omit<ChatappMedia, 'createdAt'>): Promise<void> {
    await transaction.getRepository(ChatappMedia).insert(media);
  }

  async isOwn(organizationId: string, id: string): Promise<boolean> {
    const isUpload = await this.dataSource.getRepository(ChatappMedia).existsBy({ id, organizationId });
    return (
      isUpload || this.dataSource.getRepository(ChatappMessage).existsBy({ mediaId: id, organizationId, ...INBOUND })
    );
  }

  /**
   * Organizations that may read a file. A link names no organization, so its signature is compared with each of them.
   */
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

  /** The file name given with the upload or the inbound message, of any organization; null if there is none. */
  async fileNameAcrossTenants(id: string): Promise<string | null> {
    const upload = await this.dataSource.getRepository(ChatappMedia).findOneBy({ id });
    if (upload) return upload.fileName;
    const message = await this.dataSource.getRepository(ChatappMessage).findOneBy({ mediaId: id, ...INBOUND });
    const document = message?.payload?.['document'] as { filename?: unknown } | null | undefined;
    return typeof document?.filename === 'string' ? document.filename : null;
  }
}

const INBOUND = { direction: 'inbound' } as const;
