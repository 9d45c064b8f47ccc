/** The figures of each source, which are the columns of its rollups. */
export const FIGURES = {
  sms: ['accepted', 'sent', 'delivered', 'failed', 'segments', 'credits'],
  email: [
    'accepted',
    'sent',
    'delivered',
    'opened',
    'unique_opens',
    'machine_opens',
    'clicked',
    'unique_clicks',
    'bounced',
    'complained',
    'unsubscribed',
  ],
  chatapp: ['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'credits'],
  bots: ['conversations', 'messages', 'handoffs', 'leads'],
  credits: ['charged', 'refunded', 'topped_up', 'transferred', 'adjusted'],
} as const;

export type Source = keyof typeof FIGURES;
export const SOURCES = Object.keys(FIGURES) as Source[];

export type Figure<S extends Source> = (typeof FIGURES)[S][number];
export type Figures<S extends Source> = Record<Figure<S>, number>;

/** The dimensions by which the figures of a source can be grouped. */
export const DIMENSIONS = {
  sms: ['country', 'sender_id', 'template_id', 'campaign_id', 'error'],
  email: ['domain', 'sender', 'template_id', 'campaign_id', 'tag'],
  chatapp: [],
  bots: [],
  credits: ['credit_type'],
} as const satisfies Record<Source, readonly string[]>;
