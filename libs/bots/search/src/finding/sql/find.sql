-- Finds the candidates for a question in one round trip: document frequencies of its lexemes, words that its unknown words may be
-- misspellings of, and the entries that share its rarest lexemes, sorted by inverse document frequency. Lexemes that are only related
-- to the question come last, and frequent ones are skipped after enough entries, so the work is bounded. Sorts are disabled so that
-- postings are read in index order, which a planner without statistics does not choose; where no other plan exists, it sorts.
--
-- `part` is the kind of row: `b` the bot (n1 FAQs, n2 passages), `l` a lexeme (n1, n2 its document frequencies), `w` words,
-- `e` an entry (n1 passage, n2 its row id).
CREATE OR REPLACE FUNCTION bot_search.find(
  of_bot uuid, terms text[], bases real[], owners integer[], beginnings text[], endings text[],
  key_sets text[], key_owners integer[], key_lengths integer[]
)
RETURNS TABLE (part text, kind text, name text, title text, answer text, forms text, body text, n1 bigint, n2 bigint)
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET jit = off SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off SET enable_sort = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  bot integer;
  all_faqs integer;
  all_passages integer;
  known bigint[];
  known_lexemes text[];
  known_bases real[];
  known_faqs integer[];
  known_passages integer[];
  faq_ids bigint[];
  passage_ids bigint[];
BEGIN
  SELECT b.number, b.faqs, b.passages INTO bot, all_faqs, all_passages FROM bot_search.bots AS b WHERE b.bot_id = of_bot;
  IF NOT FOUND OR all_faqs + all_passages = 0 THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT 'b', NULL, NULL, NULL, NULL, NULL, NULL, all_faqs::bigint, all_passages::bigint;

  WITH own AS MATERIALIZED (
    SELECT l.number, l.lexeme, q.base, q.owner, l.faqs, l.passages
      FROM unnest(terms, bases, owners) AS q (lexeme, base, owner)
      CROSS JOIN LATERAL (
        SELECT x.number, x.lexeme, x.faqs, x.passages FROM bot_search.lexemes AS x
         WHERE x.bot_number = bot AND x.lexeme = q.lexeme COLLATE "C") AS l
  ), meant AS MATERIALIZED (
    SELECT k.owner, w.word, w.entries, w.lexemes
      FROM (SELECT u.owner, u.length, u.keys::integer[] AS keys
              FROM unnest(key_sets, key_owners, key_lengths) AS u (keys, owner, length)
             WHERE NOT EXISTS (SELECT FROM own WHERE own.owner = u.owner)) AS k
      CROSS JOIN LATERAL (
        SELECT x.word, x.entries, x.lexemes FROM bot_search.words AS x
         WHERE x.keys && k.keys AND x.bot_number = bot AND abs(length(x.word) - k.length) <= 2
         ORDER BY abs(length(x.word) - k.length), x.entries DESC, x.word LIMIT 8) AS w
  ), found AS (
    SELECT own.number, own.lexeme, own.faqs, own.passages, own.base FROM own
    UNION ALL
    SELECT l.*, 0.25 FROM unnest(beginnings) AS b (beginning) CROSS JOIN LATERAL (
      SELECT x.number, x.lexeme, x.faqs, x.passages FROM bot_search.lexemes AS x
       WHERE x.bot_number = bot AND x.lexeme >= b.beginning COLLATE "C"
         AND x.lexeme < (b.beginning || U&'\+10FFFF') COLLATE "C"
       ORDER BY x.lexeme LIMIT 12) AS l
    UNION ALL
    SELECT l.*, 0.25 FROM unnest(endings) AS b (ending) CROSS JOIN LATERAL (
      SELECT x.number, x.lexeme, x.faqs, x.passages FROM bot_search.lexemes AS x
       WHERE x.bot_number = bot AND reverse(x.lexeme) COLLATE "C" >= b.ending COLLATE "C"
         AND reverse(x.lexeme) COLLATE "C" < (b.ending || U&'\+10FFFF') COLLATE "C"
       ORDER BY reverse(x.lexeme) COLLATE "C" LIMIT 12) AS l
    UNION ALL
    SELECT l.*, 0.7 FROM meant CROSS JOIN LATERAL unnest(meant.lexemes) AS u (lexeme) CROSS JOIN LATERAL (
      SELECT x.number, x.lexeme, x.faqs, x.passages FROM bot_search.lexemes AS x
       WHERE x.bot_number = bot AND x.lexeme = u.lexeme COLLATE "C") AS l
  ), counted AS (
    SELECT f.number, f.lexeme, f.faqs, f.passages, max(f.base)::real AS base
      FROM found AS f GROUP BY f.number, f.lexeme, f.faqs, f.passages
  )
  SELECT array_agg(c.number), array_agg(c.lexeme), array_agg(c.base), array_agg(c.faqs), array_agg(c.passages),
         (SELECT string_agg(m.owner || ' ' || m.entries || ' ' || m.word || ' ' || array_to_string(m.lexemes, '/'), E'\n')
            FROM meant AS m)
    INTO known, known_lexemes, known_bases, known_faqs, known_passages, forms
    FROM counted AS c;
  RETURN QUERY SELECT 'w', NULL, NULL, NULL, NULL, forms, NULL, NULL::bigint, NULL::bigint WHERE forms IS NOT NULL;

  SELECT array_agg(h.id) INTO faq_ids FROM (
    SELECT e.id
      FROM (SELECT k.number, k.base * ln(1 + all_faqs::real / k.entries) AS weight,
                   sum(k.entries) OVER (ORDER BY k.base < 0.3, k.entries, k.lexeme) - k.entries AS before
              FROM unnest(known, known_lexemes, known_bases, known_faqs) AS k (number, lexeme, base, entries)
             WHERE k.entries > 0 ORDER BY k.base < 0.3, k.entries, k.lexeme LIMIT 40) AS t
      CROSS JOIN LATERAL (
        SELECT x.entry_id AS id FROM bot_search.postings AS x
         WHERE x.lexeme = t.number AND x.kind = 'f' ORDER BY x.entry_id LIMIT 300) AS e
     WHERE t.before < 400
     GROUP BY e.id ORDER BY sum(t.weight) DESC, e.id LIMIT 16) AS h;
  SELECT array_agg(h.id) INTO passage_ids FROM (
    SELECT e.id
      FROM (SELECT k.number, k.base * ln(1 + all_passages::real / k.entries) AS weight,
                   sum(k.entries) OVER (ORDER BY k.base < 0.3, k.entries, k.lexeme) - k.entries AS before
              FROM unnest(known, known_lexemes, known_bases, known_passages) AS k (number, lexeme, base, entries)
             WHERE k.entries > 0 ORDER BY k.base < 0.3, k.entries, k.lexeme LIMIT 40) AS t
      CROSS JOIN LATERAL (
        SELECT x.entry_id AS id FROM bot_search.postings AS x
         WHERE x.lexeme = t.number AND x.kind = 'k' ORDER BY x.entry_id LIMIT 300) AS e
     WHERE t.before < 400
     GROUP BY e.id ORDER BY sum(t.weight) DESC, e.id LIMIT 10) AS h;

  RETURN QUERY
    SELECT 'e', e.kind, e.item_id, e.title, CASE WHEN octet_length(e.text) <= 8000 THEN e.text END,
           e.forms, e.body, e.passage::bigint, e.id
      FROM unnest(faq_ids || passage_ids) AS i (id) JOIN bot_search.entries AS e ON e.id = i.id;
  RETURN QUERY
    SELECT 'l', NULL, NULL, NULL, NULL, string_agg(k.lexeme || ' ' || k.faqs || ' ' || k.passages, E'\n'), NULL,
           NULL::bigint, NULL::bigint
      FROM unnest(known_lexemes, known_faqs, known_passages) AS k (lexeme, faqs, passages);
  RETURN QUERY
    SELECT 'l', NULL, NULL, NULL, NULL, string_agg(l.lexeme || ' ' || l.faqs || ' ' || l.passages, E'\n'), NULL,
           NULL::bigint, NULL::bigint
      FROM bot_search.lexemes AS l
     WHERE l.number = ANY (ARRAY(
             SELECT DISTINCT u.number FROM unnest(faq_ids) AS i (id) JOIN bot_search.entries AS e ON e.id = i.id
              CROSS JOIN LATERAL unnest(e.asked) AS u (number)));
END $$;
