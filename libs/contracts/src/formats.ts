/** A UUID in lower case, such as `01890a5d-ac96-774b-bcce-b302099a8057`. Ids of this system are version 7 (RFC 9562). */
export type Uuid = string;

/** A point in time in UTC (RFC 3339), such as `2026-11-20T10:12:28.123Z`. */
export type Timestamp = string;

/** An absolute URI (RFC 3986). */
export type Uri = string;

/** A number without a fraction. */
export type Integer = number;
