// A shop in Go with SQLite (Debian: golang-go golang-github-mattn-go-sqlite3-dev). See ../README.md.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
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

	_ "github.com/mattn/go-sqlite3"
)

// failure is an error response. Operations panic with a failure, and serve recovers it.
type failure struct {
	status        int
	code, message string
}

func reject(status int, code string) {
	panic(failure{status, code, strings.ReplaceAll(code, "_", " ") + "."})
}

func invalid(message string) { panic(failure{400, "invalid_request", message}) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

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

func (s shop) run(query string, values ...any) sql.Result { return must(s.Exec(query, values...)) }

func (s shop) rows(query string, values ...any) []object {
	rows := must(s.Query(query, values...))
	defer rows.Close()
	names, list := must(rows.Columns()), []object{}
	for rows.Next() {
		row, columns, targets := object{}, make([]any, len(names)), make([]any, len(names))
		for i := range columns {
			targets[i] = &columns[i]
		}
		must(0, rows.Scan(targets...))
		for i, name := range names {
			row[name] = columns[i]
		}
		list = append(list, row)
	}
	return list
}

// row returns the first row, or nil.
func (s shop) row(query string, values ...any) object {
	for _, row := range s.rows(query, values...) {
		return row
	}
	return nil
}

func (s shop) find(code, query string, values ...any) object {
	row := s.row(query, values...)
	if row == nil {
		reject(404, code)
	}
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
	if product.number("available") == 0 {
		reject(400, "product_unavailable")
	}
	return product
}

// useCode reduces the next order by a fixed amount, or by a percentage of the amount.
func (s shop) useCode(subscription any, amount int64, add any) {
	if s.in["discount_code"] == nil {
		return
	}
	found := s.row("SELECT * FROM valid_discounts WHERE code = ?", s.in["discount_code"])
	if found == nil {
		reject(400, "invalid_discount_code")
	}
	cents, fixedCode := found.number("cents"), found["code"]
	if found["percent"] != nil {
		fixedCode = nil
		cents = (amount*found.number("percent") + 50) / 100
	}
	s.run("INSERT INTO reductions VALUES (?, ?, ?, ?)", subscription, cents, add, fixedCode)
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
	return toProducts(s.rows("SELECT * FROM items WHERE subscription_id = ?", subscription))
}

func listProducts(s shop) any {
	if s.row("SELECT 1 FROM recommendations WHERE email = ?", s.in["email"]) != nil {
		return object{"products": toProducts(s.rows("SELECT * FROM recommended WHERE email = ?", s.in["email"]))}
	}
	return object{"products": toProducts(s.rows("SELECT * FROM products WHERE available ORDER BY rowid"))}
}

func addProduct(s shop) any {
	email, quantity, once := s.customer(), s.in.number("quantity"), s.in["one_time"]
	product := s.availableProduct(s.in["product_id"])
	current := s.row("SELECT id FROM current WHERE email = ?", email)
	if current == nil && once == true {
		reject(404, "subscription_not_found")
	}
	add := s.run("INSERT INTO adds (email, subscription_id, product_id, quantity, once) VALUES (?, ?, ?, ?, ?)",
		email, current["id"], product["id"], quantity, once)
	s.useCode(current["id"], product.number("cents")*quantity, must(add.LastInsertId()))
	if current != nil {
		sum := s.row(`INSERT INTO lines (subscription_id, product_id, quantity, once) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity RETURNING quantity`, current["id"], product["id"], quantity, once)
		check("quantity", float64(sum.number("quantity")))
	}
	return nil
}

func undoAddProduct(s shop) any {
	add := s.find("product_not_in_order", "SELECT * FROM adds WHERE email = ? AND product_id = ? ORDER BY id DESC", s.customer(), s.in["product_id"])
	s.run("DELETE FROM adds WHERE id = ?", add["id"])
	s.run("DELETE FROM reductions WHERE add_id = ?", add["id"])
	s.run("UPDATE lines SET quantity = quantity - ? WHERE subscription_id = ? AND product_id = ? AND once = ?",
		add["quantity"], add["subscription_id"], add["product_id"], add["once"])
	return nil
}

func getSubscription(s shop) any {
	current := s.current()
	discount := math.Min(current.amount("reduction_cents"), current.amount("total_cents"))
	return object{"next_billing_date": current["next_billing_date"], "items": s.items(current["id"]),
		"shipping_total_cost": current.amount("shipping_cents"), "order_discount_total": discount, "customer_tax_rate": current["tax_rate"]}
}

func sendNow(s shop) any {
	current := s.current()
	if current.number("ordered_today") == 1 {
		reject(400, "order_already_processing")
	} else if current["total_cents"] == nil {
		reject(400, "order_not_processable")
	}
	s.run("UPDATE customers SET last_order_at = unixepoch() WHERE email = ?", current["email"])
	s.run("UPDATE subscriptions SET next_billing_date = ? WHERE id = ?", current["following_date"], current["id"])
	s.run("DELETE FROM lines WHERE once AND subscription_id = ?", current["id"])
	s.run("DELETE FROM reductions WHERE subscription_id = ?", current["id"])
	s.run("DELETE FROM adds WHERE subscription_id = ?", current["id"])
	return nil
}

func delaySubscription(s shop) any {
	date := s.in.text("new_date")
	if _, err := time.Parse("2006-01-02", date); err != nil {
		reject(400, "invalid_date")
	}
	current := s.current()
	if date <= time.Now().UTC().Format("2006-01-02") || date < current.text("next_billing_date") {
		reject(400, "invalid_date")
	}
	s.run("UPDATE subscriptions SET next_billing_date = ? WHERE id = ?", date, current["id"])
	return nil
}

func swapProduct(s shop) any {
	id := s.current()["id"]
	item := s.find("item_not_found", "SELECT * FROM items WHERE subscription_id = ? AND id = ?", id, s.in["current_item_id"])
	product := s.availableProduct(s.in["new_product_id"])
	if product["id"] != item["product_id"] {
		s.run("DELETE FROM adds WHERE subscription_id = ? AND product_id = ? AND once = ?", id, item["product_id"], item["once"])
		same := s.row("SELECT * FROM lines WHERE subscription_id = ? AND product_id = ? AND once = ?", id, product["id"], item["once"])
		if same != nil { // Both items become one.
			total := check("quantity", float64(same.number("quantity")+item.number("quantity")))
			s.run("UPDATE lines SET quantity = ? WHERE id = ?", total, same["id"])
			s.run("DELETE FROM lines WHERE id = ?", item["line_id"])
		} else {
			s.run("UPDATE lines SET product_id = ? WHERE id = ?", product["id"], item["line_id"])
		}
	}
	s.useCode(id, product.number("cents")*item.number("quantity"), nil)
	return nil
}

func listCancelledSubscriptions(s shop) any {
	list := s.rows("SELECT * FROM subscription_details WHERE email = ? AND status = 'cancelled' ORDER BY cancelled_on DESC", s.customer())
	for i, row := range list {
		list[i] = object{"subscription_id": row["id"], "title": row["title"], "products": s.items(row["id"])}
	}
	return object{"subscriptions": list}
}

func reactivateSubscription(s shop) any {
	found := s.find("subscription_not_found", "SELECT * FROM subscription_details WHERE email = ? AND id = ?", s.customer(), s.in["subscription_id"])
	if found["status"] == "active" {
		reject(400, "subscription_not_cancelled")
	} else if found["status"] != "cancelled" {
		reject(400, "subscription_not_eligible")
	}
	s.run("UPDATE subscriptions SET cancelled_on = NULL, next_billing_date = date('now', '+1 days') WHERE id = ?", found["id"])
	s.useCode(found["id"], found.number("total_cents"), nil)
	return nil
}

func runCustomAction(s shop) any {
	email := s.customer()
	action := s.find("action_not_found", "SELECT id FROM actions WHERE id = ?", s.in["action_id"])
	s.run("INSERT INTO action_runs VALUES (?, ?)", action["id"], email)
	return nil
}

func getDiscount(s shop) any {
	found := s.find("discount_not_found", "SELECT * FROM valid_discounts WHERE code = ?", s.in["discount_code"])
	if found["percent"] != nil {
		return object{"discount_type": "percentage", "discount_percentage": found["percent"]}
	}
	return object{"discount_type": "fixed_amount", "discount_amount": found.amount("cents")}
}

type endpoint struct {
	method string
	run    func(s shop) any
	fields string // The name of an optional field ends with a question mark.
}

var endpoints = map[string]endpoint{
	"/integration/upsells/products":                   {"GET", listProducts, "email?"},
	"/integration/upsells/add-product":                {"POST", addProduct, "email product_id quantity? one_time? discount_code?"},
	"/integration/upsells/undo-add-product":           {"POST", undoAddProduct, "email product_id"},
	"/integration/customer-portal/subscription":       {"GET", getSubscription, "email"},
	"/integration/customer-portal/send-now":           {"POST", sendNow, "email"},
	"/integration/customer-portal/delay":              {"POST", delaySubscription, "email new_date"},
	"/integration/customer-portal/swap-product":       {"POST", swapProduct, "email current_item_id new_product_id discount_code?"},
	"/integration/reactivate/cancelled-subscriptions": {"GET", listCancelledSubscriptions, "email"},
	"/integration/reactivate/subscription":            {"POST", reactivateSubscription, "email subscription_id discount_code?"},
	"/integration/custom-action":                      {"POST", runCustomAction, "email action_id"},
	"/integration/discounts/get-discount":             {"GET", getDiscount, "discount_code"},
}

// runOnce runs an action and stores the click in the same transaction. A repeat returns success and changes nothing.
func runOnce(s shop, path string, run func(s shop) any, key string) {
	digest := fmt.Sprintf("%x", sha256.Sum256(must(json.Marshal([]any{path, s.in}))))
	id, seconds := digest, 10
	if key != "" {
		id, seconds = path+" "+strings.Trim(key, `"`), 86400
	} else if strings.HasSuffix(path, "/send-now") {
		seconds = 600
	}
	s.run("DELETE FROM clicks WHERE expires_at <= unixepoch()")
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
	given := object{}
	for _, pair := range strings.Split(query, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, _ := url.PathUnescape(rawName)
		if value, err := url.PathUnescape(rawValue); !strings.Contains(" code "+strings.ReplaceAll(fields, "?", "")+" ", " "+name+" ") {
			continue
		} else if err != nil || given[name] != nil {
			invalid(name + ": is malformed or repeated")
		} else {
			given[name] = value
		}
	}
	for name, value := range given {
		if value == "" {
			delete(given, name)
		}
	}
	if given["discount_code"] == nil {
		given["discount_code"] = given["code"]
	} else if given["code"] != nil && given["code"] != given["discount_code"] {
		invalid("code: differs from discount_code")
	}
	return given
}

func readObject(w http.ResponseWriter, r *http.Request) (given object) {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "application/json" {
		reject(415, "unsupported_media_type")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64*1024))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		reject(413, "payload_too_large")
	}
	text := strings.TrimPrefix(string(body), "\uFEFF")
	if err != nil || json.Unmarshal([]byte(text), &given) != nil || given == nil || strings.ToValidUTF8(text, "") != text {
		invalid("The body must be a JSON object.")
	}
	return given
}

func respond(db *sql.DB, w http.ResponseWriter, r *http.Request) any {
	given := r.Header.Values("X-Integration-API-Key")
	if len(given) != 1 || subtle.ConstantTimeCompare([]byte(given[0]), []byte(os.Getenv("STOREPORT_API_KEY"))) != 1 {
		w.Header().Set("WWW-Authenticate", "ApiKey")
		reject(401, "unauthorized")
	}
	path, found := r.URL.EscapedPath(), endpoints[r.URL.EscapedPath()]
	if found.method == "" {
		reject(404, "endpoint_not_found")
	} else if r.Method != found.method && !(r.Method == "HEAD" && found.method == "GET") {
		w.Header().Set("Allow", strings.Replace(found.method, "GET", "GET, HEAD", 1))
		reject(405, "method_not_allowed")
	} else if r.Header.Get("X-Integration-Test-Mode") == "true" || strings.Contains("&"+r.URL.RawQuery+"&", "&test=true&") {
		invalid("This shop has no test store.")
	}
	var values object
	if found.method == "GET" {
		values = readQuery(r.URL.RawQuery, found.fields)
	} else {
		values = readObject(w, r)
	}
	in := object{"quantity": int64(1), "one_time": false}
	for _, name := range strings.Fields(found.fields) {
		optional := strings.HasSuffix(name, "?")
		name = strings.TrimSuffix(name, "?")
		if values[name] != nil || !optional {
			in[name] = check(name, values[name])
		}
	}
	s := shop{must(db.Begin()), in}
	defer s.Rollback()
	if found.method == "GET" {
		return object{"success": true, "data": found.run(s)}
	}
	key, hasKey := r.Header.Get("Idempotency-Key"), len(r.Header.Values("Idempotency-Key")) > 0
	if hasKey && !keys.MatchString(key) {
		invalid("Idempotency-Key: must have 1 to 255 visible ASCII characters")
	}
	runOnce(s, path, found.run, key)
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
			random := make([]byte, 8)
			must(rand.Read(random))
			id = fmt.Sprintf("%x", random)
		}
		for name, value := range map[string]string{"X-Request-Id": id, "Content-Type": "application/json; charset=utf-8",
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
			w.Header().Set(name, value)
		}
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
