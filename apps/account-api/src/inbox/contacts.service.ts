import { Injectable } from '@nestjs/common';
import { Contact } from '@heliograph/bot-conversations';
import { given, isId, readPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { pageOf } from '../http/page.query';
import { ContactPage, OneContact, type ContactQuery } from './contacts.dto';

/** Reads the contacts of a workspace. */
@Injectable()
export class ContactsService {
  constructor(private readonly dataSource: DataSource) {}

  async list({ id: workspaceId }: Workspace, query: ContactQuery): Promise<ContactPage> {
    const filter = given({ email: query.email?.trim().toLowerCase(), phone: query.phone?.replace(/\s/g, '') });
    return ContactPage.of(await readPage(this.dataSource.manager, Contact, pageOf(query), { workspaceId, ...filter }));
  }

  async get(workspace: Workspace, id: string): Promise<OneContact> {
    return OneContact.of(await this.contact(workspace, id));
  }

  /** Throws NOT_FOUND. */
  async contact({ id: workspaceId }: Workspace, id: string): Promise<Contact> {
    const contact = isId(id) ? await this.dataSource.getRepository(Contact).findOneBy({ id, workspaceId }) : null;
    if (!contact) throw new AppError('NOT_FOUND', 'Contact not found.');
    return contact;
  }
}
