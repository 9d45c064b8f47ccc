import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed, isId } from '@heliograph/database';
import { addressKey } from '@heliograph/addresses';
import { KeyRing } from '@heliograph/secrets';
import { parseEmailTemplate, type ParsedEmailTemplate } from '@heliograph/email-text';
import { In, IsNull, MoreThan, Repository, type FindOptionsWhere } from 'typeorm';
import { isSlug } from './catalog-rules';
import { EmailDomain } from './domains/domain.entity';
import { EMAIL_KEY_RING, readPrivateKey } from './domains/domain-secrets';
import { TEMPLATE_SUMMARY, type EmailTemplateSummary } from './entry-details';
import { EmailSender } from './senders/sender.entity';
import { EmailTemplate } from './templates/template.entity';
import { TrackingSetting, type Tracking } from './tracking/tracking-setting.entity';

export interface RegisteredEmailSender {
  id: string;
  address: string;
  name: string | null;
  isMain: boolean;
  domain: Pick<EmailDomain, 'id' | 'name' | 'status' | 'expiresAt' | 'returnPathHost'>;
}

export interface RegisteredEmailTemplate extends EmailTemplate {
  parsed: ParsedEmailTemplate;
}

export interface EmailSigningKey {
  domain: string;
  selector: string;
  /** Parsed, because parsing takes three times as long as signing. */
  privateKey: KeyObject;
  /** Host of the return path; null if the domain has no valid one. */
  returnPathHost: string | null;
}

interface OwnedSigningKey {
  organizationId: string;
  /** Null if the stored key cannot be decrypted. */
  key: EmailSigningKey | null;
}

/** The stored DKIM key of a domain cannot be decrypted with the keys of this process. */
export class UnreadableKeyError extends Error {}

const MAX_ADDRESS_LENGTH = 254;
/** Limits the cache, because a parsed template can occupy megabytes. */
const MAX_TEMPLATES = 500;
/** Placeholder for a user, who has no key: no key has this id. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';
const SENDER_TABLES = ['email.domains', 'email.senders'];

/** The registered senders, templates and keys of an organization, cached in the process until they change. */
@Injectable()
export class EmailCatalog {
  private readonly senders: CachedLookup<RegisteredEmailSender | null>;
  private readonly mainSenders: CachedLookup<RegisteredEmailSender | null>;
  private readonly templates: CachedLookup<RegisteredEmailTemplate | null>;
  private readonly trackings: CachedLookup<Tracking>;
  private readonly signingKeys: CachedLookup<OwnedSigningKey | null>;

  constructor(
    @InjectRepository(EmailDomain) private readonly domainTable: Repository<EmailDomain>,
    @InjectRepository(EmailSender) private readonly senderTable: Repository<EmailSender>,
    @InjectRepository(EmailTemplate) private readonly templateTable: Repository<EmailTemplate>,
    @InjectRepository(TrackingSetting) private readonly trackingTable: Repository<TrackingSetting>,
    @Inject(EMAIL_KEY_RING) private readonly keys: KeyRing,
    changes: ChangeFeed,
  ) {
    const organizationOf = (key: string): string => key.slice(0, 36);
    this.senders = new CachedLookup(changes, {
      tables: SENDER_TABLES,
      organizationOf,
      load: (key) => this.loadSender({ organizationId: organizationOf(key), addressKey: key.slice(37) }),
      isCached: isUsable,
    });
    this.mainSenders = new CachedLookup(changes, {
      tables: SENDER_TABLES,
      organizationOf,
      load: (organizationId) => this.loadSender({ organizationId, isMain: true }),
      isCached: isUsable,
    });
    this.templates = new CachedLookup(changes, {
      tables: ['email.templates'],
      organizationOf,
      maxEntries: MAX_TEMPLATES,
      load: (key) => this.loadTemplate(organizationOf(key), key.slice(37)),
      isCached: (template) => template !== null,
    });
    this.trackings = new CachedLookup(changes, {
      tables: ['email.tracking_settings'],
      load: (key) => this.loadTracking(key.split(' ')),
    });
    this.signingKeys = new CachedLookup(changes, {
      tables: ['email.domains'],
      // Checks update domains of other organizations frequently.
      organizationOf: (_domainId, owned) => owned?.organizationId ?? null,
      load: (domainId) => this.loadSigningKey(domainId),
    });
  }

  /** Finds a sender by its address, ignoring case. */
  async sender(organizationId: string, address: string): Promise<RegisteredEmailSender | null> {
    if (address.length > MAX_ADDRESS_LENGTH) return null;
    return this.senders.get(`${organizationId} ${addressKey(address)}`);
  }

  mainSender(organizationId: string): Promise<RegisteredEmailSender | null> {
    return this.mainSenders.get(organizationId);
  }

  /** Finds a template by id or slug. */
  async template(organizationId: string, reference: string): Promise<RegisteredEmailTemplate | null> {
    if (!isId(reference) && !isSlug(reference)) return null;
    return this.templates.get(`${organizationId} ${reference}`);
  }

  /** Lists the senders on verified domains. */
  async listSenders(organizationId: string): Promise<RegisteredEmailSender[]> {
    const isVerified = { status: 'verified' } as const;
    const senders = await this.senderTable.find({
      where: [
        { organizationId, domain: { ...isVerified, expiresAt: IsNull() } },
        { organizationId, domain: { ...isVerified, expiresAt: MoreThan(new Date()) } },
      ],
      relations: { domain: true },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return senders.flatMap((sender) => registered(sender) ?? []);
  }

  listTemplates(organizationId: string): Promise<EmailTemplateSummary[]> {
    return this.templateTable.find({
      select: TEMPLATE_SUMMARY,
      where: { organizationId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Returns the tracking that the workspace and the key, if any, allow. */
  trackingOf(workspaceId: string, keyId: string | null): Promise<Tracking> {
    return this.trackings.get(`${workspaceId} ${keyId ?? NO_KEY}`);
  }

  /** Returns the DKIM key of a domain; null if the domain does not exist. Throws UnreadableKeyError. */
  async signingKey(domainId: string): Promise<EmailSigningKey | null> {
    const owned = await this.signingKeys.get(domainId);
    if (owned?.key === null) {
      throw new UnreadableKeyError(
        `the DKIM key of the domain ${domainId} cannot be decrypted with EMAIL_SECRETS_KEYS`,
      );
    }
    return owned?.key ?? null;
  }

  /** Whether mail of the domain can be signed: its stored DKIM key can be decrypted. */
  async canSign(domainId: string): Promise<boolean> {
    return (await this.signingKeys.get(domainId))?.key !== null;
  }

  private async loadSender(where: FindOptionsWhere<EmailSender>): Promise<RegisteredEmailSender | null> {
    const sender = await this.senderTable.findOne({ where, relations: { domain: true } });
    return sender && registered(sender);
  }

  private async loadTemplate(organizationId: string, reference: string): Promise<RegisteredEmailTemplate | null> {
    const template = await this.templateTable.findOne({
      where: isId(reference)
        ? [
            { organizationId, id: reference },
            { organizationId, slug: reference },
          ]
        : { organizationId, slug: reference },
    });
    return template && { ...template, parsed: parseEmailTemplate(template) };
  }

  private async loadTracking(subjectIds: string[]): Promise<Tracking> {
    const settings = await this.trackingTable.findBy({ subjectId: In(subjectIds) });
    return { opens: settings.every(({ opens }) => opens), clicks: settings.every(({ clicks }) => clicks) };
  }

  private async loadSigningKey(id: string): Promise<OwnedSigningKey | null> {
    const domain = await this.domainTable.findOne({
      select: {
        id: true,
        organizationId: true,
        name: true,
        dkimSelector: true,
        dkimPrivateKey: true,
        returnPathHost: true,
      },
      where: { id },
    });
    if (!domain?.dkimPrivateKey) return null;
    const { organizationId, name, dkimSelector: selector, returnPathHost } = domain;
    const pem = readPrivateKey(this.keys, id, domain.dkimPrivateKey);
    const key = pem === null ? null : { domain: name, selector, privateKey: createPrivateKey(pem), returnPathHost };
    return { organizationId, key };
  }
}

/** Whether mail from the sender is accepted. The age of a verification is checked by each send. */
function isUsable(sender: RegisteredEmailSender | null): boolean {
  return sender?.domain.status === 'verified';
}

function registered({ id, address, name, isMain, domain }: EmailSender): RegisteredEmailSender | null {
  if (!domain) return null;
  const { id: domainId, name: domainName, status, expiresAt, returnPathHost } = domain;
  return { id, address, name, isMain, domain: { id: domainId, name: domainName, status, expiresAt, returnPathHost } };
}
