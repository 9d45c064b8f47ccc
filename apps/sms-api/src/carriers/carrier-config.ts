import { z } from 'zod';

const positive = z.number().int().min(1);
const octet = z.number().int().min(0).max(255);

/** A TLV tag, as a number or as a string such as "0x1400" (JSON has no hexadecimal literals). */
const tlvTag = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{1,4}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(0xffff));

/** Type of number or numbering plan indicator of an address; `auto` derives it from the address. */
const tonOrNpi = z.union([z.literal('auto'), octet]).default('auto');

const printableAscii = z.string().regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

/**
 * One SMPP 3.4 account at a carrier (SMPP Protocol Specification v3.4, issue 1.2). Unknown keys are rejected, so that a
 * misspelt option is not silently ignored.
 */
export const smppCarrierConfig = z
  .strictObject({
    /** Unique carrier name; stored with every message that the carrier accepted. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, at most 40'),
    host: z.string().min(1),
    port: z.number().int().min(1).max(65_535).default(2775),
    /** Implicit TLS; the certificate is verified against `host`. */
    tls: z.boolean().default(false),
    systemId: printableAscii.min(1).max(15),
    /** The specification allows 8 characters; several carriers issue longer passwords. */
    password: printableAscii.max(64).default(''),
    systemType: printableAscii.max(12).default(''),
    /** Pairs of a transmitter and a receiver are for carriers that do not support transceivers. */
    bindType: z.enum(['transceiver', 'transmitter+receiver']).default('transceiver'),

    /** Number of parallel binds, or of pairs; the carrier limits it per account. */
    binds: positive.max(32).default(2),
    /** Maximum number of outstanding submits per bind. */
    windowSize: positive.max(10_000).default(50),
    /** Maximum submit PDUs (parts, not messages) per second over all binds; null means unlimited. */
    throughputPerSecond: z.number().positive().max(100_000).nullable().default(null),

    connectTimeoutMs: positive.default(10_000),
    responseTimeoutMs: positive.default(10_000),
    /**
     * Maximum time between the acceptance of the first part and the submit of the last part; a message that takes
     * longer is uncertain.
     */
    multipartTimeoutMs: positive.default(60_000),
    /** Idle time after which an enquire_link is sent. */
    enquireLinkIntervalMs: positive.default(30_000),
    reconnectMinMs: positive.default(500),
    reconnectMaxMs: positive.default(30_000),
    /** Maximum time that `stop` waits for submits and receipts in progress. */
    stopTimeoutMs: positive.default(10_000),

    /**
     * ISO 3166-1 alpha-2 codes of the countries that this carrier serves; `*` serves every country that no carrier
     * lists.
     */
    countries: z
      .array(z.union([z.literal('*'), z.string().regex(/^[A-Z]{2}$/)]))
      .min(1)
      .default(['*']),

    sourceTon: tonOrNpi,
    sourceNpi: tonOrNpi,
    destTon: tonOrNpi,
    destNpi: tonOrNpi,

    /** How a long message is sent: UDH headers, SAR TLVs, or the whole text in `message_payload`. */
    longMessage: z.enum(['udh', 'sar', 'payload']).default('udh'),
    /** How a flash message is marked: message class 0 in `data_coding` (0xF0, or 0x18 for UCS-2), or `dest_addr_subunit` = 1. */
    flash: z.enum(['data-coding', 'dest-addr-subunit']).default('data-coding'),
    /** TLVs of India's DLT. Tags differ between carriers, and so does NUL termination of the values. */
    dltTags: z
      .strictObject({
        entityId: tlvTag.default(0x1400),
        templateId: tlvTag.default(0x1401),
        chain: tlvTag.default(0x1402),
        /** Telemarketer chain sent with every DLT message; null omits it. */
        chainValue: printableAscii.max(1024).nullable().default(null),
        format: z.enum(['octet-string', 'c-octet-string']).default('octet-string'),
      })
      .prefault({}),

    /** Value of `registered_delivery`; 1 requests a final receipt for success and failure. */
    registeredDelivery: octet.default(1),
    /** Validity period; null uses the carrier's default. */
    validityPeriodMinutes: positive.max(43_200).nullable().default(null),
    /** Notation of message ids in receipts, compared with the submit response; `auto` detects it by the first receipts. */
    receiptIdNotation: z
      .enum(['auto', 'same', 'hex-response-decimal-receipt', 'decimal-response-hex-receipt'])
      .default('auto'),
    /** Time zone of the dates in receipt texts, in minutes east of UTC (330 for India). */
    receiptZoneOffsetMinutes: z.number().int().min(-840).max(840).default(0),

    /** Command statuses that are retried: throttled, queue full, system error. Every other error status is final. */
    retryStatuses: z.array(z.number().int().min(1).max(0xffffffff)).default([0x58, 0x14, 0x08]),
    /** Handling of a submit that received no response. */
    uncertain: z
      .strictObject({
        policy: z.enum(['resend', 'hold']).default('resend'),
        /** Maximum submits of one message, including the first. */
        maxSubmits: positive.max(100).default(3),
      })
      .prefault({}),
  })
  .refine((config) => config.reconnectMinMs <= config.reconnectMaxMs, {
    path: ['reconnectMaxMs'],
    message: 'must not be below reconnectMinMs',
  });

export type SmppCarrierConfig = z.output<typeof smppCarrierConfig>;
export type SmppCarrierConfigInput = z.input<typeof smppCarrierConfig>;

/** All carriers of a deployment, in order of preference. Names are unique. */
export const carrierConfigList = z.array(smppCarrierConfig).superRefine((carriers, context) => {
  const seen = new Set<string>();
  carriers.forEach(({ name }, index) => {
    if (seen.has(name)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `"${name}" is used twice; carrier names must be unique`,
      });
    }
    seen.add(name);
  });
});
