import { html, type Html } from '../html';
import { pageAddress, type ReferenceGroup } from '../outline';
import { ROOT } from '../root';
import type { Guide, GuideGroup } from './guide';
import type { RenderedMarkdown } from './render-markdown';

export const guideAddress = ({ slug }: Pick<Guide, 'slug'>): string => `${ROOT}/guides/${slug}`;

/** A guide with a list of its sections and links to the guides before and after it. */
export function renderGuide(guide: Guide, { body, headings }: RenderedMarkdown, groups: readonly GuideGroup[]): Html {
  const all = groups.flatMap(({ guides }) => guides);
  const at = all.indexOf(guide);
  const before = all[at - 1];
  const after = all[at + 1];
  return html`<div class="guide">
    <article class="prose">
      <h1>${guide.title}</h1>
      <p class="lead">${guide.description}</p>
      ${body}
      <p class="neighbours">
        ${before && html`<a href="${guideAddress(before)}" rel="prev">← ${before.title}</a>`}
        ${after && html`<a href="${guideAddress(after)}" rel="next">${after.title} →</a>`}
      </p>
    </article>
    <aside aria-label="On this page">
      ${
        headings.length > 1 &&
        html`<p>On this page</p>
          <ul>
            ${headings.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
          </ul>`
      }
      <p><a href="${guideAddress(guide)}.md">View as Markdown</a></p>
    </aside>
  </div>`;
}

/** The guides as cards, by group. */
export function renderGuideCards(groups: readonly GuideGroup[]): Html[] {
  return groups.map(
    ({ title, guides }) =>
      html`<h2>${title}</h2>
        <ul class="cards">
          ${guides.map(
            (guide) =>
              html`<li>
                <a href="${guideAddress(guide)}">${guide.title}</a>
                <p>${guide.description}</p>
              </li>`,
          )}
        </ul>`,
  );
}

/** The address in the samples of guides, which run as they are against the local stack. */
const LOCAL_STACK = 'http://localhost:8080';

/** The samples of a guide, for the address of this installation. */
export const withBaseUrl = (code: string, baseUrl: string): string => code.replaceAll(LOCAL_STACK, baseUrl);

/** The guide as it is in the repository, with a title instead of its head, and with absolute links. */
export function guideAsMarkdown({ title, description, markdown }: Guide, baseUrl: string): string {
  const linked = withBaseUrl(markdown, baseUrl).replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, href: string) => {
    const [file = '', fragment] = href.split('#');
    return `](${baseUrl}${ROOT}/guides/${file}${fragment === undefined ? '' : `#${fragment}`})`;
  });
  return `# ${title}\n\n${description}\n\n${linked}`;
}

/** The list of all pages for language models (llmstxt.org). */
export function llmsText(
  guides: readonly GuideGroup[],
  groups: readonly ReferenceGroup[],
  apis: readonly { id: string; title: string; description: string }[],
  baseUrl: string,
): string {
  const lines = [
    '# Heliograph',
    '',
    '> A messaging platform: SMS, email, chat-app messages and bots over one HTTP API with one prepaid balance.',
  ];
  for (const group of guides) {
    lines.push('', `## ${group.title}`, '');
    for (const guide of group.guides)
      lines.push(`- [${guide.title}](${baseUrl}${guideAddress(guide)}.md): ${guide.description}`);
  }
  for (const { title, audience, pages } of groups) {
    lines.push('', `## ${audience === 'operators' ? 'For operators' : 'API reference'}: ${title}`, '');
    for (const page of pages.filter(({ operations }) => operations.length > 0))
      lines.push(`- [${page.title}](${baseUrl}${pageAddress(page)}.md): ${page.description}`);
  }
  lines.push('', '## OpenAPI documents', '');
  for (const { id, title, description } of apis)
    lines.push(`- [${title}](${baseUrl}${ROOT}/${id}/openapi.json): ${description}`);
  return `${lines.join('\n')}\n`;
}
