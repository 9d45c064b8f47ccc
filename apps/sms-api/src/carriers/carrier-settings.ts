import { z } from 'zod';

const positive = z.number().int().min(1);
const octet = z.number().int().min(0).max(255);

/** A TLV tag, as a number or as "0x1400" (JSON has no hexadecimal literals). */
const tlvTag = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{1,4}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(0xffff));

/** A number of the address's type or numbering plan; `auto` derives it from the address itself. */
const tonOrNpi = z.union([z.literal('auto'), octet]).default('auto');

const printableAscii = z.string().regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

/**
 * One SMPP 3.4 account at a carrier (SMPP Protocol Specification v3.4, issue 1.2). Unknown keys are refused, so that
 * a misspelt setting never silently means its default.
 */
export const smppCarrierSettings = z
  .strictObject({
    /** Unique among the carriers; stored beside every message it took. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, at most 40'),
    host: z.string().min(1),
    port: z.number().int().min(1).max(65_535).default(2775),
    /** TLS from the first octet, the certificate checked against `host`. */
    tls: z.boolean().default(false),
    systemId: printableAscii.min(1).max(15),
    /** The specification allows 8 characters; several carriers hand out longer ones. */
    password: printableAscii.max(64).default(''),
    systemType: printableAscii.max(12).default(''),
    bindType: z.literal('transceiver').default('transceiver'),

    /** Parallel binds; carriers state how many an account may hold. */
    binds: positive.max(32).default(2),
    /** Submits without an answer, per bind. */
    windowSize: positive.max(10_000).default(50),
    /** Submit PDUs (parts, not messages) per second over all binds; null is unlimited. */
    throughputPerSecond: z.number().positive().max(100_000).nullable().default(null),

    connectTimeoutMs: positive.default(10_000),
    responseTimeoutMs: positive.default(10_000),
    /** From the first part's acceptance to the last part's submit; a message that takes longer is uncertain. */
    multipartTimeoutMs: positive.default(60_000),
    /** Silence after which the link is probed. */
    enquireLinkIntervalMs: positive.default(30_000),
    reconnectMinMs: positive.default(500),
    reconnectMaxMs: positive.default(30_000),
    /** How long `stop` waits for submits and receipts under way. */
    stopTimeoutMs: positive.default(10_000),

    /** ISO 3166-1 alpha-2 codes this carrier serves; `*` is any country that nobody names. */
    countries: z
      .array(z.union([z.literal('*'), z.string().regex(/^[A-Z]{2}$/)]))
      .min(1)
      .default(['*']),

    sourceTon: tonOrNpi,
    sourceNpi: tonOrNpi,
    destTon: tonOrNpi,
    destNpi: tonOrNpi,

    /** How more than one part travels: a header in the text, SAR TLVs, or the whole text in `message_payload`. */
    longMessage: z.enum(['udh', 'sar', 'payload']).default('udh'),
    /** How a flash message is marked: message class 0 in `data_coding`, or `dest_addr_subunit` = 1. */
    flash: z.enum(['data-coding', 'dest-addr-subunit']).default('data-coding'),
    /** India's DLT: the tags differ between carriers, and so does whether values end in NUL. */
    dltTags: z
      .strictObject({
        entityId: tlvTag.default(0x1400),
        templateId: tlvTag.default(0x1401),
        chain: tlvTag.default(0x1402),
        /** Telemarketer chain sent with every DLT message; null sends none. */
        chainValue: printableAscii.max(1024).nullable().default(null),
        format: z.enum(['octet-string', 'c-octet-string']).default('octet-string'),
      })
      .prefault({}),

    /** Receipts the carrier is asked for; 1 is a final one for success and failure. */
    registeredDelivery: octet.default(1),
    /** How long the carrier tries; null leaves it to the carrier. */
    validityPeriodMinutes: positive.max(43_200).nullable().default(null),
    /** In which notation receipts name a message, compared with the submit's answer. */
    receiptIdNotation: z.enum(['same', 'hex-response-decimal-receipt', 'decimal-response-hex-receipt']).default('same'),
    /** Zone of the dates inside receipt texts, in minutes east of UTC (330 is India). */
    receiptZoneOffsetMinutes: z.number().int().min(-840).max(840).default(0),

    /** Command statuses that mean "not now": throttled, queue full, system error. Every other one is final. */
    retryStatuses: z.array(z.number().int().min(1).max(0xffffffff)).default([0x58, 0x14, 0x08]),
    /** What the send worker does with a submit whose answer never came. */
    uncertain: z
      .strictObject({
        policy: z.enum(['resend', 'hold']).default('resend'),
        /** Submits of one message, the first included, before it is held after all. */
        maxSubmits: positive.max(100).default(3),
      })
      .prefault({}),
  })
  .refine((settings) => settings.reconnectMinMs <= settings.reconnectMaxMs, {
    path: ['reconnectMaxMs'],
    message: 'must not be below reconnectMinMs',
  });

export type SmppCarrierSettings = z.output<typeof smppCarrierSettings>;
export type SmppCarrierSettingsInput = z.input<typeof smppCarrierSettings>;

/** All carriers of a deployment, in order of preference. Names are unique. */
export const carrierSettingsList = z.array(smppCarrierSettings).superRefine((carriers, context) => {
  const seen = new Set<string>();
  carriers.forEach(({ name }, index) => {
    if (seen.has(name)) {
      context.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is used twice; names are unique` });
    }
    seen.add(name);
  });
});
