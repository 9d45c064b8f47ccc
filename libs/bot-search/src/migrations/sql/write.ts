const HOT = 'SET jit = off SET enable_seqscan = off SET enable_mergejoin = off';

/** Takes the lock of the bot, deletes entries of items, and takes them out of the statistics. */
export const REMOVE = `
CREATE FUNCTION bot_search.remove(of_bot uuid, of_kind text, item_ids text[])
RETURNS void
LANGUAGE plpgsql
${HOT} AS $$
DECLARE
  bot integer;
  gone bigint[];
  removed integer;
BEGIN
  INSERT INTO bot_search.bots AS b (bot_id) VALUES (of_bot)
    ON CONFLICT (bot_id) DO UPDATE SET faqs = b.faqs
    RETURNING b.number INTO bot;
  SELECT array_agg(e.id), count(*) INTO gone, removed FROM bot_search.entries AS e
   WHERE e.bot_number = bot AND e.kind = of_kind AND e.item_id = ANY (item_ids);
  IF removed = 0 THEN
    RETURN;
  END IF;

  UPDATE bot_search.lexemes AS l
     SET faqs = l.faqs - CASE of_kind WHEN 'f' THEN d.entries ELSE 0 END,
         passages = l.passages - CASE of_kind WHEN 'k' THEN d.entries ELSE 0 END
    FROM (SELECT u.number, count(*) AS entries
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone) GROUP BY u.number) AS d
   WHERE l.number = d.number;
  DELETE FROM bot_search.lexemes AS l
   USING (SELECT DISTINCT u.number
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone)) AS d
   WHERE l.number = d.number AND l.faqs = 0 AND l.passages = 0;
  DELETE FROM bot_search.postings AS p
   USING (SELECT e.id, u.number
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.lexemes) AS u (number)
           WHERE e.id = ANY (gone)) AS d
   WHERE p.lexeme = d.number AND p.kind = of_kind AND p.entry_id = d.id;

  UPDATE bot_search.words AS w
     SET entries = w.entries - d.entries
    FROM (SELECT u.word COLLATE "C" AS word, count(*) AS entries
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.words) AS u (word)
           WHERE e.id = ANY (gone) GROUP BY 1) AS d
   WHERE w.bot_number = bot AND w.word = d.word;
  DELETE FROM bot_search.words AS w
   USING (SELECT DISTINCT u.word COLLATE "C" AS word
            FROM bot_search.entries AS e CROSS JOIN LATERAL unnest(e.words) AS u (word)
           WHERE e.id = ANY (gone)) AS d
   WHERE w.bot_number = bot AND w.word = d.word AND w.entries = 0;

  DELETE FROM bot_search.entries AS e WHERE e.id = ANY (gone);
  UPDATE bot_search.bots AS b
     SET faqs = b.faqs - CASE of_kind WHEN 'f' THEN removed ELSE 0 END,
         passages = b.passages - CASE of_kind WHEN 'k' THEN removed ELSE 0 END
   WHERE b.bot_id = of_bot;
END $$`;

/** Adds entries, which must not be there yet, and puts them into the statistics. Takes the lock of the bot. */
export const PUT = `
CREATE FUNCTION bot_search.put(of_bot uuid, new_entries json, new_words json)
RETURNS void
LANGUAGE plpgsql
${HOT} AS $$
DECLARE
  bot integer;
BEGIN
  INSERT INTO bot_search.bots AS b (bot_id, faqs, passages)
    SELECT of_bot, count(*) FILTER (WHERE n.kind = 'f'), count(*) FILTER (WHERE n.kind = 'k')
      FROM json_to_recordset(new_entries) AS n (kind text)
    ON CONFLICT (bot_id) DO UPDATE SET faqs = b.faqs + excluded.faqs, passages = b.passages + excluded.passages
    RETURNING b.number INTO bot;

  INSERT INTO bot_search.lexemes AS l (bot_number, lexeme, faqs, passages)
    SELECT bot, u.lexeme, count(*) FILTER (WHERE n.kind = 'f'), count(*) FILTER (WHERE n.kind = 'k')
      FROM json_to_recordset(new_entries) AS n (kind text, lexemes text[])
      CROSS JOIN LATERAL unnest(n.lexemes) AS u (lexeme)
     GROUP BY u.lexeme
    ON CONFLICT (bot_number, lexeme)
      DO UPDATE SET faqs = l.faqs + excluded.faqs, passages = l.passages + excluded.passages;

  WITH added AS (
    INSERT INTO bot_search.entries AS e
        (bot_number, kind, item_id, passage, title, text, forms, body, words, lexemes, asked)
      SELECT bot, n.kind, n.item_id, n.passage, n.title, n.text, n.forms, n.body, n.words,
             ARRAY(SELECT (SELECT x.number FROM bot_search.lexemes AS x
                            WHERE x.bot_number = bot AND x.lexeme = u.lexeme COLLATE "C")
                     FROM unnest(n.lexemes) AS u (lexeme)),
             ARRAY(SELECT (SELECT x.number FROM bot_search.lexemes AS x
                            WHERE x.bot_number = bot AND x.lexeme = u.lexeme COLLATE "C")
                     FROM unnest(n.asked) AS u (lexeme))
        FROM json_to_recordset(new_entries) AS n (kind text, item_id text, passage integer, title text, text text,
                                                  forms text, body text, words text[], lexemes text[], asked text[])
      RETURNING e.id, e.kind, e.lexemes
  )
  INSERT INTO bot_search.postings (lexeme, kind, entry_id)
    SELECT u.number, a.kind, a.id FROM added AS a CROSS JOIN LATERAL unnest(a.lexemes) AS u (number)
     ORDER BY u.number, a.kind, a.id;

  INSERT INTO bot_search.words AS w (bot_number, word, entries, lexemes, keys)
    SELECT bot, n.word, used.entries, n.lexemes, n.keys
      FROM json_to_recordset(new_words) AS n (word text, lexemes text[], keys integer[])
      JOIN (SELECT u.word, count(*) AS entries
              FROM json_to_recordset(new_entries) AS e (words text[]) CROSS JOIN LATERAL unnest(e.words) AS u (word)
             GROUP BY u.word) AS used ON used.word = n.word
    ON CONFLICT (bot_number, word)
      DO UPDATE SET entries = w.entries + excluded.entries, lexemes = excluded.lexemes;
END $$`;
