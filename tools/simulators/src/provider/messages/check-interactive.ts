import { refuseRepeats, type Field } from '../fields';
import { checkMedia, type KnowsMedia } from './check-media';

const MAX = {
  header: 60,
  body: 1_024,
  footer: 60,
  buttons: 3,
  buttonId: 256,
  buttonTitle: 20,
  listButton: 20,
  sections: 10,
  rows: 10,
  sectionTitle: 24,
  rowId: 200,
  rowTitle: 24,
  rowDescription: 72,
  linkText: 20,
  link: 2_000,
  flowButton: 30,
};

/** Throws if the provider refuses an interactive object. */
export function checkInteractive(interactive: Field, knowsMedia: KnowsMedia): void {
  interactive.object();
  const type = interactive.at('type').oneOf(['button', 'list', 'cta_url', 'flow']);
  checkHeader(interactive.at('header'), type, knowsMedia);
  interactive.at('body').object().at('text').text(MAX.body);
  const footer = interactive.at('footer');
  if (footer.isGiven) footer.object().at('text').text(MAX.footer);
  const action = interactive.at('action').object();
  switch (type) {
    case 'button':
      return checkButtons(action);
    case 'list':
      return checkList(action);
    case 'cta_url':
      return checkLink(action);
    case 'flow':
      return checkFlow(action);
  }
}

function checkHeader(header: Field, type: string, knowsMedia: KnowsMedia): void {
  if (!header.isGiven) return;
  const kinds = type === 'list' ? (['text'] as const) : (['text', 'image', 'video', 'document'] as const);
  const kind = header.object().at('type').oneOf(kinds);
  if (kind === 'text') header.at('text').text(MAX.header);
  else checkMedia(kind, header.at(kind), knowsMedia);
}

function checkButtons(action: Field): void {
  const replies = action
    .at('buttons')
    .items(1, MAX.buttons)
    .map((button) => {
      button.object().at('type').oneOf(['reply']);
      const reply = button.at('reply').object();
      reply.at('id').text(MAX.buttonId);
      reply.at('title').text(MAX.buttonTitle);
      return reply;
    });
  refuseRepeats(replies.map((reply) => reply.at('id')));
  refuseRepeats(replies.map((reply) => reply.at('title')));
}

function checkList(action: Field): void {
  action.at('button').text(MAX.listButton);
  const sections = action.at('sections').items(1, MAX.sections);
  const rows = sections.flatMap((section) => {
    const title = section.object().at('title');
    if (sections.length > 1) title.text(MAX.sectionTitle);
    else title.optionalText(MAX.sectionTitle);
    return section.at('rows').items(1, MAX.rows);
  });
  if (rows.length > MAX.rows) throw action.at('sections').wrong(`must have at most ${MAX.rows} rows in total`);
  for (const row of rows) {
    row.object().at('id').text(MAX.rowId);
    row.at('title').text(MAX.rowTitle);
    row.at('description').optionalText(MAX.rowDescription);
  }
  refuseRepeats(rows.map((row) => row.at('id')));
}

function checkLink(action: Field): void {
  action.at('name').oneOf(['cta_url']);
  const parameters = action.at('parameters').object();
  parameters.at('display_text').text(MAX.linkText);
  parameters.at('url').webAddress(MAX.link);
}

function checkFlow(action: Field): void {
  action.at('name').oneOf(['flow']);
  const parameters = action.at('parameters').object();
  parameters.at('flow_message_version').oneOf(['3']);
  parameters.at('flow_cta').text(MAX.flowButton);
  const id = parameters.at('flow_id');
  const name = parameters.at('flow_name');
  if (id.isGiven === name.isGiven) throw parameters.wrong('must have exactly one of flow_id and flow_name');
}
