package org.inferometer.query.script;

import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.store.Queryable;

/** What a script is run against. */
public interface Evaluation {
  QueryResult instant(Queryable data, String query, long timeMs) throws QueryException;

  QueryResult range(Queryable data, String query, long startMs, long endMs, long stepMs)
      throws QueryException;
}
