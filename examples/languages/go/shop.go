// A shop in Go with SQLite (Debian: golang-go golang-github-mattn-go-sqlite3-dev). See ../README.md.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"
)

// failure is an error response. Operations panic with a failure, and serve recovers it.
type failure struct {
	status        int
	code, message string
}

func reject(status int, code string) {
	panic(failure{status, code, strings.ReplaceAll(code, "_", " ") + "."})
}

func rejectIf(condition bool, status int, code string) {
	if condition {
		reject(status, code)
	}
}

func invalidIf(condition bool, message string) {
	if condition {
		panic(failure{400, "invalid_request", message})
	}
}

// must returns the value, or panics. A trigger of the schema raises an error code and a message.
func must[T any](value T, err error) T {
	if raised, ok := err.(sqlite3.Error); ok && raised.ExtendedCode == sqlite3.ErrConstraintTrigger {
		code, message, _ := strings.Cut(raised.Error(), ": ")
		panic(failure{400, code, message})
	} else if err != nil {
		panic(err)
	}
	return value
}

const maxBody = 64 * 1024
const label = `[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`

var (
	texts  = regexp.MustCompile(`^\P{Cc}{1,255}$`)
	emails = regexp.MustCompile("(?i)^[a-z\\d.!#$%&'*+/=?^_`{|}~-]+@" + label + `(?:\.` + label + `)*$`)
	dates  = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	keys   = regexp.MustCompile(`^("[!#-~]{1,253}"|[!#-~][!-~]{0,254})$`)
	ids    = regexp.MustCompile(`^[\w.-]{1,128}$`)
)

// check returns the value of a field, or rejects the request.
func check(name string, value any) any {
	text, _ := value.(string)
	number, isNumber := value.(float64)
	_, isBoolean := value.(bool)
	if name == "email" || name == "discount_code" {
		text = strings.TrimSpace(text)
	}
	switch {
	case name == "quantity" && isNumber && number >= 1 && number <= 1000 && number == math.Floor(number):
		return int64(number)
	case name == "one_time" && isBoolean:
		return value
	case name == "quantity" || name == "one_time" || !texts.MatchString(text):
	case name == "email" && len(text) <= 254 && emails.MatchString(text):
		return strings.ToLower(text)
	case name == "new_date" && dates.MatchString(text), name != "email" && name != "new_date":
		return text
	}
	panic(failure{400, "invalid_request", name + ": is missing or invalid"})
}

type object map[string]any

// text returns a string column or field, or "" if it is absent.
func (o object) text(name string) string { value, _ := o[name].(string); return value }

// number returns an integer column or field, or 0 if it is absent.
func (o object) number(name string) int64 { value, _ := o[name].(int64); return value }

// amount returns a column of cents in major units.
func (o object) amount(name string) float64 { return float64(o.number(name)) / 100 }

// shop runs the operations of one request in one transaction. Its fields have their defaults.
type shop struct {
	*sql.Tx
	in object
}

// run runs a statement, and returns its rows.
func (s shop) run(query string, values ...any) []object {
	rows := must(s.Query(query, values...))
	defer rows.Close()
	names, list := must(rows.Columns()), []object{}
	for rows.Next() {
		row, columns := object{}, make([]any, len(names))
		for i := range columns {
			columns[i] = new(any)
		}
		must(0, rows.Scan(columns...))
		for i, name := range names {
			row[name] = *columns[i].(*any)
		}
		list = append(list, row)
	}
	must(0, rows.Err())
	return list
}

// row returns the first row, or nil.
func (s shop) row(query string, values ...any) object {
	for _, row := range s.run(query, values...) {
		return row
	}
	return nil
}

func (s shop) find(code, query string, values ...any) object {
	row := s.row(query, values...)
	rejectIf(row == nil, 404, code)
	return row
}

func (s shop) customer() string {
	return s.find("customer_not_found", "SELECT email FROM customers WHERE email = ?", s.in["email"]).text("email")
}

// current returns the active subscription with the earliest date.
func (s shop) current() object {
	return s.find("subscription_not_found", "SELECT * FROM current WHERE email = ?", s.customer())
}

func (s shop) availableProduct(id any) object {
	product := s.find("product_not_found", "SELECT * FROM products WHERE id = ?", id)
	rejectIf(product.number("available") == 0, 400, "product_unavailable")
	return product
}

func toProducts(rows []object) []object {
	for i, row := range rows {
		rows[i] = object{"id": row["id"], "title": row["title"], "price": row.amount("cents"), "images": []any{row["image"]}}
		for _, name := range []string{"description", "quantity"} {
			if row[name] != nil {
				rows[i][name] = row[name]
			}
		}
		if row["compare_at_cents"] != nil {
			rows[i]["compare_at_price"] = row.amount("compare_at_cents")
		}
	}
	return rows
}

func (s shop) items(subscription any) []object {
	return toProducts(s.run("SELECT * FROM items WHERE subscription_id = ?", subscription))
}

func listProducts(s shop) any {
	if s.row("SELECT 1 FROM recommendations WHERE email = ?", s.in["email"]) != nil {
		return object{"products": toProducts(s.run("SELECT * FROM recommended WHERE email = ?", s.in["email"]))}
	}
	return object{"products": toProducts(s.run("SELECT * FROM products WHERE available ORDER BY rowid"))}
}

// addProduct stores an add. Triggers of the schema change the items, and use the discount code.
func addProduct(s shop) {
	email, once := s.customer(), s.in["one_time"]
	product := s.availableProduct(s.in["product_id"])
	current := s.row("SELECT id FROM current WHERE email = ?", email)
	rejectIf(current == nil && once == true, 404, "subscription_not_found")
	s.run("INSERT INTO adds (email, subscription_id, product_id, quantity, once, discount_code) VALUES (?, ?, ?, ?, ?, ?)",
		email, current["id"], product["id"], s.in["quantity"], once, s.in["discount_code"])
}

func undoAddProduct(s shop) {
	sql := "SELECT id FROM adds WHERE email = ? AND product_id = ? AND NOT undone ORDER BY id DESC"
	add := s.find("product_not_in_order", sql, s.customer(), s.in["product_id"])
	s.run("UPDATE adds SET undone = 1 WHERE id = ?", add["id"])
}

func getSubscription(s shop) any {
	current := s.current()
	return object{"next_billing_date": current["next_billing_date"], "items": s.items(current["id"]),
		"shipping_total_cost": current.amount("shipping_cents"), "order_discount_total": current.amount("reduction_cents"),
		"customer_tax_rate": current["tax_rate"]}
}

// sendNow stores an order. A trigger of the schema moves the billing date, and removes what the order uses up.
func sendNow(s shop) {
	current := s.current()
	rejectIf(current.number("ordered_today") == 1, 400, "order_already_processing")
	rejectIf(current["total_cents"] == nil, 400, "order_not_processable")
	s.run("INSERT INTO orders (subscription_id) VALUES (?)", current["id"])
}

func delaySubscription(s shop) {
	date := s.in.text("new_date")
	_, err := time.Parse("2006-01-02", date)
	rejectIf(err != nil, 400, "invalid_date")
	current := s.current()
	rejectIf(date < current.text("earliest_delay"), 400, "invalid_date")
	s.run("UPDATE subscriptions SET next_billing_date = ? WHERE id = ?", date, current["id"])
}

// swapProduct changes the product of an item. A trigger of the schema joins two items of one product, and uses the discount code.
func swapProduct(s shop) {
	id := s.current()["id"]
	item := s.find("item_not_found", "SELECT * FROM items WHERE subscription_id = ? AND id = ?", id, s.in["current_item_id"])
	product := s.availableProduct(s.in["new_product_id"])
	sql := "UPDATE items SET product_id = ?, discount_code = ? WHERE line_id = ?"
	s.run(sql, product["id"], s.in["discount_code"], item["line_id"])
}

func listCancelledSubscriptions(s shop) any {
	list := s.run("SELECT * FROM subscription_details WHERE email = ? AND status = 'cancelled' ORDER BY cancelled_on DESC", s.customer())
	for i, row := range list {
		list[i] = object{"subscription_id": row["id"], "title": row["title"], "products": s.items(row["id"])}
	}
	return object{"subscriptions": list}
}

func reactivateSubscription(s shop) {
	found := s.find("subscription_not_found", "SELECT * FROM subscription_details WHERE email = ? AND id = ?", s.customer(), s.in["subscription_id"])
	rejectIf(found["status"] == "active", 400, "subscription_not_cancelled")
	rejectIf(found["status"] == "expired", 400, "subscription_not_eligible")
	s.run("UPDATE subscriptions SET cancelled_on = NULL, next_billing_date = date('now', '+1 days') WHERE id = ?", found["id"])
	s.run("INSERT INTO reductions VALUES (?, ?, ?, NULL)", found["id"], s.in["discount_code"], found["total_cents"])
}

func runCustomAction(s shop) {
	email := s.customer()
	action := s.find("action_not_found", "SELECT id FROM actions WHERE id = ?", s.in["action_id"])
	s.run("INSERT INTO action_runs VALUES (?, ?)", action["id"], email)
}

func getDiscount(s shop) any {
	found := s.find("discount_not_found", "SELECT * FROM valid_discounts WHERE code = ?", s.in["discount_code"])
	if found["percent"] != nil {
		return object{"discount_type": "percentage", "discount_percentage": found["percent"]}
	}
	return object{"discount_type": "fixed_amount", "discount_amount": found.amount("cents")}
}

// endpoint has a function for its method. The name of an optional field ends with a question mark.
type endpoint struct {
	get    func(s shop) any
	post   func(s shop)
	fields string
}

var endpoints = map[string]endpoint{
	"/integration/upsells/products":                   {get: listProducts, fields: "email?"},
	"/integration/upsells/add-product":                {post: addProduct, fields: "email product_id quantity? one_time? discount_code?"},
	"/integration/upsells/undo-add-product":           {post: undoAddProduct, fields: "email product_id"},
	"/integration/customer-portal/subscription":       {get: getSubscription, fields: "email"},
	"/integration/customer-portal/send-now":           {post: sendNow, fields: "email"},
	"/integration/customer-portal/delay":              {post: delaySubscription, fields: "email new_date"},
	"/integration/customer-portal/swap-product":       {post: swapProduct, fields: "email current_item_id new_product_id discount_code?"},
	"/integration/reactivate/cancelled-subscriptions": {get: listCancelledSubscriptions, fields: "email"},
	"/integration/reactivate/subscription":            {post: reactivateSubscription, fields: "email subscription_id discount_code?"},
	"/integration/custom-action":                      {post: runCustomAction, fields: "email action_id"},
	"/integration/discounts/get-discount":             {get: getDiscount, fields: "discount_code"},
}

// runOnce runs an action and stores the click in the same transaction. A repeat returns success and changes nothing.
func runOnce(s shop, path string, run func(s shop), key string) {
	digest := fmt.Sprintf("%x", sha256.Sum256(must(json.Marshal([]any{path, s.in}))))
	id, seconds := digest, 10
	if key != "" {
		id, seconds = path+" "+strings.Trim(key, `"`), 86400
	} else if strings.HasSuffix(path, "/send-now") {
		seconds = 600
	}
	s.run("DELETE FROM clicks WHERE expires_at < unixepoch()")
	earlier := s.row("SELECT * FROM clicks WHERE id = ?", id)
	if earlier == nil {
		run(s)
		// Without a key, the same request after another change of the customer is a new click.
		s.run("DELETE FROM clicks WHERE email = ? AND id = request", s.in["email"])
		s.run("INSERT INTO clicks VALUES (?, ?, ?, unixepoch() + ?)", id, s.in["email"], digest, seconds)
	} else if earlier["request"] != digest {
		reject(422, "idempotency_key_reused")
	}
}

// readQuery returns the fields of a query. A plus is a plus, because an email can contain it.
func readQuery(query, fields string) object {
	values, err := url.ParseQuery(strings.ReplaceAll(query, "+", "%2B"))
	given := object{}
	for _, name := range strings.Fields(strings.ReplaceAll(fields, "?", "") + " code") {
		isMalformed := err != nil && !values.Has(name) && strings.Contains("&"+query, "&"+name+"=")
		invalidIf(isMalformed || len(values[name]) > 1, name+": is malformed or repeated")
		if values.Get(name) != "" {
			given[name] = values.Get(name)
		}
	}
	if given["discount_code"] == nil {
		given["discount_code"] = given["code"]
	}
	invalidIf(given["code"] != nil && given["code"] != given["discount_code"], "code: differs from discount_code")
	return given
}

func readObject(r *http.Request) (given object) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	rejectIf(media != "application/json", 415, "unsupported_media_type")
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	rejectIf(len(body) > maxBody, 413, "payload_too_large")
	text := strings.TrimPrefix(string(body), "\uFEFF")
	isObject := err == nil && json.Unmarshal([]byte(text), &given) == nil && given != nil && utf8.ValidString(text)
	invalidIf(!isObject, "The body must be a JSON object.")
	return given
}

func respond(db *sql.DB, w http.ResponseWriter, r *http.Request) any {
	given := r.Header.Values("X-Integration-API-Key")
	if len(given) != 1 || subtle.ConstantTimeCompare([]byte(given[0]), []byte(os.Getenv("STOREPORT_API_KEY"))) != 1 {
		w.Header().Set("WWW-Authenticate", "ApiKey")
		reject(401, "unauthorized")
	}
	path, found := r.URL.EscapedPath(), endpoints[r.URL.EscapedPath()]
	rejectIf(found.fields == "", 404, "endpoint_not_found")
	allowed, isAllowed := "POST", r.Method == "POST"
	if found.get != nil {
		allowed, isAllowed = "GET, HEAD", r.Method == "GET" || r.Method == "HEAD"
	}
	if !isAllowed {
		w.Header().Set("Allow", allowed)
		reject(405, "method_not_allowed")
	}
	isTest := r.Header.Get("X-Integration-Test-Mode") == "true" || strings.Contains("&"+r.URL.RawQuery+"&", "&test=true&")
	invalidIf(isTest, "This shop has no test store.")
	var values object
	if found.get != nil {
		values = readQuery(r.URL.RawQuery, found.fields)
	} else {
		values = readObject(r)
	}
	in := object{"quantity": int64(1), "one_time": false}
	for _, name := range strings.Fields(found.fields) {
		name, _, optional := strings.Cut(name, "?")
		if values[name] != nil || !optional {
			in[name] = check(name, values[name])
		}
	}
	s := shop{must(db.Begin()), in}
	defer s.Rollback()
	if found.get != nil {
		return object{"success": true, "data": found.get(s)}
	}
	key, hasKey := r.Header.Get("Idempotency-Key"), len(r.Header.Values("Idempotency-Key")) > 0
	invalidIf(hasKey && !keys.MatchString(key), "Idempotency-Key: must have 1 to 255 visible ASCII characters")
	runOnce(s, path, found.post, key)
	must(0, s.Commit())
	return object{"success": true}
}

func main() {
	db := must(sql.Open("sqlite3", "file:"+os.Getenv("DATABASE")+"?_txlock=immediate&_busy_timeout=10000"))
	listener := must(net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT")))
	fmt.Println("http://" + listener.Addr().String())
	serve := func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !ids.MatchString(id) {
			id = fmt.Sprintf("%x", must(io.ReadAll(io.LimitReader(rand.Reader, 8))))
		}
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		defer func() {
			if problem := recover(); problem != nil {
				failed, ok := problem.(failure)
				if !ok {
					log.Print(problem)
					failed = failure{500, "internal_error", "The shop failed."}
				}
				w.WriteHeader(failed.status)
				json.NewEncoder(w).Encode(object{"success": false, "error": object{"code": failed.code, "message": failed.message}})
			}
		}()
		json.NewEncoder(w).Encode(respond(db, w, r))
	}
	log.Fatal(http.Serve(listener, http.HandlerFunc(serve)))
}
