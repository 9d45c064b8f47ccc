import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed, isId } from '@heliograph/database';
import { parseTemplate, type ParsedTemplate } from '@heliograph/sms-text';
import { Repository } from 'typeorm';
import { Onboarding } from './onboarding.entity';
import { Rate } from './rate.entity';
import { Sender } from './sender.entity';
import { Template } from './template.entity';

export interface RegisteredSender extends Sender {
  onboarding: Onboarding;
}

export interface RegisteredTemplate extends Template {
  parsed: ParsedTemplate;
}

const ENTRY_TABLES = ['sms.onboardings', 'sms.senders', 'sms.templates'];

/**
 * The registered senders and templates of an organization. Those that can send are cached in process until they change, because every
 * send reads them.
 */
@Injectable()
export class Catalog {
  private readonly senders: CachedLookup<RegisteredSender | null>;
  private readonly templates: CachedLookup<RegisteredTemplate[]>;
  private readonly activeTemplates: CachedLookup<RegisteredTemplate[]>;
  private readonly activeSenders: CachedLookup<RegisteredSender[]>;
  private readonly rates: CachedLookup<Map<string, number>>;

  constructor(
    @InjectRepository(Sender) private readonly senderTable: Repository<Sender>,
    @InjectRepository(Template) private readonly templateTable: Repository<Template>,
    @InjectRepository(Rate) private readonly rateTable: Repository<Rate>,
    changes: ChangeFeed,
  ) {
    const ofOrganization = { tables: ENTRY_TABLES, organizationOf: (key: string) => key.slice(0, 36) };
    this.senders = new CachedLookup(changes, {
      ...ofOrganization,
      load: (key) => this.loadSender(...split(key)),
      isCached: (sender) => sender !== null && sender.isActive && sender.onboarding.status === 'approved',
    });
    this.templates = new CachedLookup(changes, {
      ...ofOrganization,
      load: (key) => this.loadTemplates(...split(key)),
      isCached: (templates) => templates.some(({ isActive }) => isActive),
    });
    this.activeTemplates = new CachedLookup(changes, {
      ...ofOrganization,
      load: (key) => this.loadActive(...split(key)),
      isCached: (templates) => templates.length > 0,
    });
    this.activeSenders = new CachedLookup(changes, {
      ...ofOrganization,
      load: (key) => this.loadActiveSenders(...split(key)),
      isCached: (senders) => senders.length > 0,
    });
    this.rates = new CachedLookup(changes, { tables: ['sms.rates'], load: () => this.loadRates() });
  }

  /** Finds a sender by id or header, with its onboarding. */
  sender(organizationId: string, reference: string): Promise<RegisteredSender | null> {
    return this.senders.get(`${organizationId} ${reference}`);
  }

  /**
   * Finds a template by id or name. If several onboardings have a template of this name, the given onboarding has
   * priority.
   */
  async template(organizationId: string, reference: string, onboardingId: string): Promise<RegisteredTemplate | null> {
    const named = await this.templatesOfAllOnboardings(organizationId, reference);
    return named.find((template) => template.onboardingId === onboardingId) ?? named[0] ?? null;
  }

  /** The template with this id, or the templates of all onboardings with this name. */
  templatesOfAllOnboardings(organizationId: string, reference: string): Promise<RegisteredTemplate[]> {
    return this.templates.get(`${organizationId} ${reference}`);
  }

  /** The active templates of an onboarding. */
  activeTemplatesOf(organizationId: string, onboardingId: string): Promise<RegisteredTemplate[]> {
    return this.activeTemplates.get(`${organizationId} ${onboardingId}`);
  }

  /** At most two active senders with an approved onboarding for a country, to distinguish none, one and several. */
  activeSendersOf(organizationId: string, country: string): Promise<RegisteredSender[]> {
    return this.activeSenders.get(`${organizationId} ${country}`);
  }

  /** Credits per segment. */
  async rateOf(country: string): Promise<number> {
    return (await this.rates.get('')).get(country) ?? 1;
  }

  listSenders(organizationId: string): Promise<Sender[]> {
    return this.senderTable.find({ where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async listTemplates(organizationId: string): Promise<RegisteredTemplate[]> {
    const templates = await this.templateTable.find({
      where: { organizationId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return templates.map(withParsed);
  }

  private async loadSender(organizationId: string, reference: string): Promise<RegisteredSender | null> {
    const [sender] = await this.senderTable.find({
      where: isId(reference)
        ? [
            { organizationId, id: reference },
            { organizationId, header: reference },
          ]
        : { organizationId, header: reference },
      relations: { onboarding: true },
      take: 1,
    });
    return sender?.onboarding ? { ...sender, onboarding: sender.onboarding } : null;
  }

  private async loadTemplates(organizationId: string, reference: string): Promise<RegisteredTemplate[]> {
    const templates = await this.templateTable.find({
      where: isId(reference)
        ? [
            { organizationId, id: reference },
            { organizationId, name: reference },
          ]
        : { organizationId, name: reference },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return templates.map(withParsed);
  }

  private async loadActive(organizationId: string, onboardingId: string): Promise<RegisteredTemplate[]> {
    const templates = await this.templateTable.find({
      where: { organizationId, onboardingId, isActive: true },
      order: { id: 'ASC' },
    });
    return templates.map(withParsed);
  }

  private async loadActiveSenders(organizationId: string, country: string): Promise<RegisteredSender[]> {
    const senders = await this.senderTable.find({
      where: { organizationId, isActive: true, onboarding: { country, status: 'approved' } },
      relations: { onboarding: true },
      take: 2,
      order: { id: 'ASC' },
    });
    return senders.flatMap((sender) => (sender.onboarding ? [{ ...sender, onboarding: sender.onboarding }] : []));
  }

  private async loadRates(): Promise<Map<string, number>> {
    const rates = await this.rateTable.find();
    return new Map(rates.map(({ country, rate }) => [country, rate]));
  }
}

function withParsed(template: Template): RegisteredTemplate {
  return { ...template, parsed: parseTemplate(template.body) };
}

/** An organization id has exactly 36 characters, so the text after the space may contain any character. */
function split(key: string): [string, string] {
  return [key.slice(0, 36), key.slice(37)];
}
