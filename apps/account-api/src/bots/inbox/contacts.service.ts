import { Injectable } from '@nestjs/common';
import { Contact } from '@heliograph/bot-conversations';
import { isId, readPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import type { ContactQuery } from './contacts.dto';

/** Reads the contacts of a workspace. */
@Injectable()
export class ContactsService {
  constructor(private readonly dataSource: DataSource) {}

  list({ id: workspaceId }: Workspace, page: Page, { email, phone }: ContactQuery): Promise<PageOf<Contact>> {
    return readPage(this.dataSource.manager, Contact, page, {
      workspaceId,
      ...(email === undefined ? {} : { email: email.trim().toLowerCase() }),
      ...(phone === undefined ? {} : { phone: phone.replace(/\s/g, '') }),
    });
  }

  /** Throws NOT_FOUND. */
  async get({ id: workspaceId }: Workspace, id: string): Promise<Contact> {
    const contact = isId(id) ? await this.dataSource.getRepository(Contact).findOneBy({ id, workspaceId }) : null;
    if (!contact) throw new AppError('NOT_FOUND', 'Contact not found.');
    return contact;
  }
}
