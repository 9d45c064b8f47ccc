import { randomInt } from 'node:crypto';
import { isFields, type Fields } from '../fields';
import { templateRefusal } from '../graph-error';
import type { Journal } from '../journal/journal';

const MAX_TEMPLATES = 20_000;

export interface NewTemplate {
  name: string;
  language: string;
  /** In upper case, like the status. */
  category: string;
  components: Fields[];
  parameterFormat: string;
  /** Seconds; absent means the default of the category. */
  messageTtl?: number;
}

export interface Template extends NewTemplate {
  /** An increasing number that defines the order of the catalogue. */
  place: number;
  id: string;
  status: string;
}

/** A review result. Omitted fields stay unchanged, or get a default if the review creates the template. */
export interface TemplateReview {
  status: string;
  language?: string;
  category?: string;
  components?: readonly Fields[];
}

/** The account's templates, by name and language. */
export class TemplateCatalogue {
  private readonly templates = new Map<string, Template>();
  private nextPlace = 1;
  private readonly firstId = randomInt(10 ** 11, 10 ** 12) * 1_000;

  constructor(private readonly journal: Journal | null) {}

  /** In the order of the catalogue. */
  restore(templates: readonly Template[]): void {
    for (const template of templates) {
      this.templates.set(keyOf(template.name, template.language), template);
      this.nextPlace = Math.max(this.nextPlace, template.place + 1);
    }
  }

  find(name: string, language: string): Template | undefined {
    return this.templates.get(keyOf(name, language));
  }

  /** In the order of creation. */
  list(): Template[] {
    return [...this.templates.values()];
  }

  /** Throws if the name exists in the language. */
  create(template: NewTemplate): Template {
    if (this.find(template.name, template.language)) {
      throw templateRefusal(
        2388024,
        'Content in this language already exists',
        `A template ${template.name} in ${template.language} already exists; choose another name or language.`,
      );
    }
    return this.add(template, 'PENDING');
  }

  /** Changes one or all languages of a template; creates the template if it does not exist. */
  review(name: string, { status, language, category, components }: TemplateReview): void {
    const found = this.list().filter(
      (template) => template.name === name && (language === undefined || template.language === language),
    );
    const changes = {
      ...(category === undefined ? {} : { category: category.toUpperCase() }),
      ...(components === undefined ? {} : { components: components.map(withUpperCaseType) }),
    };
    for (const template of found) {
      // The provider resets the value of a template whose category it changes.
      if (changes.category !== undefined && changes.category !== template.category) delete template.messageTtl;
      Object.assign(template, changes, { status: status.toUpperCase() });
      this.journal?.append({ template });
    }
    if (found.length > 0) return;
    this.add(
      {
        name,
        language: language ?? 'en_US',
        category: 'MARKETING',
        components: [{ type: 'BODY', text: `This is ${name}.` }],
        parameterFormat: 'POSITIONAL',
        ...changes,
      },
      status.toUpperCase(),
    );
  }

  /** Removes all languages of a template, or the one with the id. */
  remove(name: string, id: string | null): void {
    const found = this.list().filter((template) => template.name === name && (id === null || template.id === id));
    if (found.length === 0) {
      throw templateRefusal(2593002, 'Message template not found', `The template ${name} does not exist.`);
    }
    for (const { name: ownName, language } of found) {
      this.templates.delete(keyOf(ownName, language));
      this.journal?.append({ deletedTemplate: { name: ownName, language } });
    }
  }

  clear(): void {
    this.templates.clear();
  }

  private add(template: NewTemplate, status: string): Template {
    if (this.templates.size >= MAX_TEMPLATES) {
      throw templateRefusal(2388019, 'Too many templates', `An account can have at most ${MAX_TEMPLATES} templates.`);
    }
    const place = this.nextPlace++;
    const stored = { ...template, place, id: String(this.firstId + place), status };
    this.templates.set(keyOf(template.name, template.language), stored);
    this.journal?.append({ template: stored });
    return stored;
  }
}

export function componentsOf({ components }: Template, type: string): Fields[] {
  return components.filter((component) => component['type'] === type);
}

/** Reviews may use lower case. */
function withUpperCaseType(component: Fields): Fields {
  const upper: Record<string, unknown> = { ...component };
  for (const key of ['type', 'format']) {
    const value = component[key];
    if (typeof value === 'string') upper[key] = value.toUpperCase();
  }
  const buttons = component['buttons'];
  return Array.isArray(buttons)
    ? { ...upper, buttons: buttons.map((button: unknown) => (isFields(button) ? withUpperCaseType(button) : button)) }
    : upper;
}

function keyOf(name: string, language: string): string {
  return `${name}\0${language}`;
}
