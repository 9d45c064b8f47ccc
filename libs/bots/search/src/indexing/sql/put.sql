-- Locks the bot, adds entries that do not exist yet, and updates the statistics.
CREATE OR REPLACE FUNCTION bot_search.put(of_bot uuid, new_entries json, new_words json)
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_mergejoin = off AS $$
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
END $$;
