import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Contact } from '@heliograph/bot-conversations';
import { given, isId, readPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { Repository } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { ContactPage, OneContact, type ContactQuery } from './contacts.dto';

/** Reads the contacts of a workspace. */
@Injectable()
export class ContactsService {
  constructor(@InjectRepository(Contact) private readonly contacts: Repository<Contact>) {}

  async list({ id: workspaceId }: Workspace, query: ContactQuery): Promise<ContactPage> {
    const filter = given({ email: query.email?.trim().toLowerCase(), phone: query.phone?.replace(/\s/g, '') });
    return ContactPage.of(await readPage(this.contacts.manager, Contact, pageOf(query), { workspaceId, ...filter }));
  }

  async get(workspace: Workspace, id: string): Promise<OneContact> {
    return OneContact.of(await this.contact(workspace, id));
  }

  /** Throws NOT_FOUND. */
  async contact({ id: workspaceId }: Workspace, id: string): Promise<Contact> {
    const contact = isId(id) ? await this.contacts.findOneBy({ id, workspaceId }) : null;
    if (!contact)
      throw new AppError('NOT_FOUND', 'Contact not found. List the contacts of the workspace to get valid ids.');
    return contact;
  }
}
